using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Overworld
{
    /// <summary>Tags of the player: lower case, for segments and for rules of the remote config.</summary>
    public sealed class Tags
    {
        private readonly ApiClient api;
        private readonly Func<string> playerId;

        internal Tags(ApiClient api, Func<string> playerId)
        {
            this.api = api;
            this.playerId = playerId;
        }

        /// <summary>Adds a tag of at most 64 characters; one that the player has already changes nothing. All tags of the player.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<List<string>> Add(string tag)
        {
            var answer = await api.Call("POST", Path, Json.Write(new Dictionary<string, object> { { "tag", tag } }));
            object tags;
            answer.ReadObject().TryGetValue("tags", out tags);
            var names = new List<string>();
            foreach (var name in tags as List<object> ?? new List<object>()) names.Add(name as string);
            return names;
        }

        /// <summary>Removes a tag; one that the player does not have is no error.</summary>
        /// <exception cref="OverworldException"/>
        public async Task Remove(string tag)
        {
            try
            {
                await api.Call("DELETE", Path + "/" + Uri.EscapeDataString(tag));
            }
            catch (OverworldException error)
            {
                if (error.Body.Text("error") != "Tag not found") throw;
            }
        }

        private string Path { get { return "/v1/players/" + Uri.EscapeDataString(playerId()) + "/tags"; } }
    }
}
