using System.Collections.Generic;
using OverworldSdk;
using UnityEngine;

/// <summary>Put this on an object of the first scene, with the address and the key of your game.</summary>
public class QuickStart : MonoBehaviour
{
    async void Start()
    {
        var overworld = OverworldBehaviour.Connect("http://127.0.0.1:8080", "ow_dev_…");
        overworld.Track("level_complete", new Dictionary<string, object> { { "level", 1 }, { "stars", 3 } });
        var save = await overworld.Saves.Load(); // null when there is none
        var level = save == null ? 1 : save.Data["level"];
        await overworld.Saves.Save("{\"level\":2,\"coins\":130}", ConflictPolicy.PerField); // JsonUtility.ToJson gives such text
        Debug.Log("Level " + level);
        var submitted = await overworld.Leaderboards.Submit("best-run", 4200, "Juno");
        Debug.Log("Rank " + submitted.Entry.Rank);
    }
}
