using System.Threading.Tasks;
using UnityEngine;

namespace OverworldSdk
{
    /// <summary>Gives the client its frames, on an object of its own, which stays when scenes change.</summary>
    [AddComponentMenu("")]
    internal sealed class OverworldRunner : MonoBehaviour
    {
        public OverworldClient Client;

        public static OverworldRunner Make(OverworldClient client)
        {
            var keeper = new GameObject("Overworld");
            DontDestroyOnLoad(keeper);
            var runner = keeper.AddComponent<OverworldRunner>();
            runner.Client = client;
            return runner;
        }

        private void Update()
        {
            Client.Tick();
        }

        /// <summary>A phone may end a game in the background without notice.</summary>
        private void OnApplicationPause(bool isPaused)
        {
            if (Client != null && isPaused) Forget(Client.Flush());
        }

        /// <summary>The process ends with this frame: `session_end` is kept, and sent after the next start.</summary>
        private void OnApplicationQuit()
        {
            Forget(Client.Close());
        }

        /// <summary>`OnError` reports errors, and unsent events stay in the storage.</summary>
        private static void Forget(Task task)
        {
            task.ContinueWith(ended => Debug.LogException(ended.Exception), TaskContinuationOptions.OnlyOnFaulted);
        }
    }
}
