using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Tags of the player: lower case, for segments and for rules of the remote config.</summary>
    public sealed class Tags
    {
        private readonly ApiClient api;
        private readonly Player player;
        private readonly Turns turns;

        /// <param name="turns">Keeps a repeated call from undoing a later one.</param>
        internal Tags(ApiClient api, Player player, Turns turns)
        {
            this.api = api;
            this.player = player;
            this.turns = turns;
        }

        /// <summary>Adds a tag of at most 64 characters; a tag that the player already has changes nothing. Returns all tags of the player.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<List<string>> Add(string tag)
        {
            var id = await player.Get();
            var path = PathOf(id);
            var body = Json.Write(new Dictionary<string, object> { { "tag", tag } });
            var answer = await turns.Take(() => api.Call("POST", path, "tags", body, player: id));
            object tags;
            answer.ReadObject().TryGetValue("tags", out tags);
            var names = new List<string>();
            foreach (var name in tags as List<object> ?? new List<object>()) names.Add(name as string);
            return names;
        }

        /// <summary>Removes a tag; it is no error if the player does not have it.</summary>
        /// <exception cref="OverworldException"/>
        public async Task Remove(string tag)
        {
            var id = await player.Get();
            var path = PathOf(id) + "/" + Uri.EscapeDataString(tag);
            try
            {
                await turns.Take(() => api.Call("DELETE", path, null, player: id));
            }
            catch (OverworldException error)
            {
                if (error.Body.Text("error") != "Tag not found") throw;
            }
        }

        private static string PathOf(string id)
        {
            return "/v1/players/" + Uri.EscapeDataString(id) + "/tags";
        }
    }
}
