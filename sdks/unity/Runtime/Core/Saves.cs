using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Overworld
{
    /// <summary>The player's cloud save: any JSON object of up to 100 KB.</summary>
    public sealed class Saves
    {
        /// <summary>Each further round means that another device saved after our last answer.</summary>
        private const int MaxRounds = 20;

        private readonly ApiClient api;
        private readonly Func<string> playerId;
        private readonly Turns turns = new Turns();
        private Known known;

        internal Saves(ApiClient api, Func<string> playerId)
        {
            this.api = api;
            this.playerId = playerId;
        }

        /// <summary>The last version that this client knows.</summary>
        private sealed class Known
        {
            public string PlayerId;
            public long Version;
            public string Json;
        }

        /// <summary>Loads the save; null if there is none.</summary>
        /// <exception cref="OverworldException"/>
        public Task<CloudSave> Load()
        {
            return InTurn(LoadNow);
        }

        /// <summary>
        /// Saves, if the server still has the version that was loaded or saved here last (or `version`). If
        /// not, `onConflict` decides. Ends when the data is stored. Saves are sent one after another.
        /// </summary>
        /// <param name="json">The game state, for example from JsonUtility.ToJson; it comes back in exactly this text.</param>
        /// <exception cref="OverworldException">
        /// `conflict` if the server has another version and no policy is given. Then nothing is stored,
        /// and every save fails like this until the next Load.
        /// </exception>
        public Task<SaveResult> Save(string json, ConflictPolicy onConflict = null, long? version = null)
        {
            Json.ParseMembers(json);
            var savedAt = api.UtcNow;
            return InTurn(player => SaveNow(player, json, onConflict, version, savedAt));
        }

        /// <summary>The same for a state of dictionaries, lists, strings, numbers and booleans, as it is now.</summary>
        /// <exception cref="OverworldException"/>
        public Task<SaveResult> Save(IDictionary<string, object> data, ConflictPolicy onConflict = null, long? version = null)
        {
            return Save(Json.Write(data), onConflict, version);
        }

        /// <summary>Deletes the save; it is no error if there is none. If the answer is lost, the call is not tried again, because another device may have saved by then.</summary>
        /// <exception cref="OverworldException"/>
        public Task Delete()
        {
            return InTurn(DeleteNow);
        }

        private async Task<CloudSave> LoadNow(string player)
        {
            try
            {
                var answer = await api.Call("GET", PathOf(player));
                var save = Read(answer.Body, "data", "version");
                known = new Known { PlayerId = player, Version = save.Version, Json = save.Json };
                return save;
            }
            catch (OverworldException error)
            {
                if (!IsNoSave(error)) throw;
                known = null;
                return null;
            }
        }

        private async Task<SaveResult> SaveNow(string player, string json, ConflictPolicy onConflict, long? version, DateTime savedAt)
        {
            var start = known != null && known.PlayerId == player ? known : new Known { PlayerId = player };
            var from = version == null || version == start.Version ? start : new Known { PlayerId = player, Version = version.Value };
            for (var round = 1; ; round++)
            {
                OverworldException conflict;
                try
                {
                    var answer = (await api.Call("PUT", "/v1/saves", WriteRequest(from, json))).ReadObject();
                    return Finish(player, new CloudSave(json, answer.Whole("version"), answer.Moment("updated_at") ?? savedAt), round > 1);
                }
                catch (OverworldException error)
                {
                    if (error.Code != "conflict") throw;
                    conflict = error;
                }
                var theirs = Read(conflict.BodyText, "server_data", "server_version");
                // The save on the server is ours: it was stored before, and the answer was lost.
                if (IsSame(theirs.Json, json)) return Finish(player, theirs, round > 1);
                if (onConflict == null || round == MaxRounds) throw conflict;
                json = await onConflict.Resolve(new SaveConflict(json, savedAt, theirs, from.Json));
                if (IsSame(theirs.Json, json)) return Finish(player, theirs, true);
                from = new Known { PlayerId = player, Version = theirs.Version, Json = theirs.Json };
            }
        }

        private async Task<bool> DeleteNow(string player)
        {
            try
            {
                await api.Call("DELETE", PathOf(player), null, null, Retry.Refused);
            }
            catch (OverworldException error)
            {
                if (!IsNoSave(error)) throw;
            }
            known = null;
            return true;
        }

        private SaveResult Finish(string player, CloudSave stored, bool wasConflict)
        {
            known = new Known { PlayerId = player, Version = stored.Version, Json = stored.Json };
            return new SaveResult(stored.Json, stored.Version, stored.UpdatedAt, wasConflict);
        }

        private Task<T> InTurn<T>(Func<string, Task<T>> run)
        {
            // The present player, even if another one plays when this call has its turn.
            var player = playerId();
            return turns.Take(() => run(player));
        }

        private static string WriteRequest(Known from, string json)
        {
            return Json.WriteMembers(new[]
            {
                new KeyValuePair<string, string>("player_id", Json.Write(from.PlayerId)),
                new KeyValuePair<string, string>("version", Json.Write(from.Version)),
                new KeyValuePair<string, string>("data", json),
            });
        }

        private static string PathOf(string player)
        {
            return "/v1/saves?player_id=" + Uri.EscapeDataString(player);
        }

        private static CloudSave Read(string body, string dataName, string versionName)
        {
            var json = Json.ParseMembers(body).FindLast(member => member.Key == dataName).Value;
            var members = Json.TryParseObject(body);
            return new CloudSave(json, members.Whole(versionName), members.Moment("updated_at") ?? DateTime.MinValue);
        }

        private static bool IsSame(string a, string b)
        {
            return a == b || Json.Compact(a) == Json.Compact(b);
        }

        /// <summary>A 404 of a proxy does not mean that there is no save.</summary>
        private static bool IsNoSave(OverworldException error)
        {
            return error.Body.Text("error") == "No save found";
        }
    }
}
