using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>The player's cloud save: any JSON object of up to 100 KB.</summary>
    public sealed class Saves
    {
        /// <summary>
        /// Each further round means that another device saved after our last answer. The pause before
        /// the last round is half a second at most. Each earlier pause is half as long as the next.
        /// </summary>
        private const int MaxRounds = 8;

        private const int MaxEarlier = 10;
        private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(0.5);

        private readonly ApiClient api;
        private readonly Player present;
        private readonly KeptCalls kept;
        private readonly ConflictPolicy policy;
        private readonly string appVersion;
        /// <summary>By player and slot.</summary>
        private readonly Dictionary<string, Known> known = new Dictionary<string, Known>();

        /// <summary>Digests of saves that the server may have stored, although no answer came, by player and slot. If the storage is full, nothing else remembers them.</summary>
        private readonly Dictionary<string, List<string>> unsure = new Dictionary<string, List<string>>();

        internal Saves(ApiClient api, Player present, KeptCalls kept, ConflictPolicy policy, string appVersion)
        {
            this.api = api;
            this.present = present;
            this.kept = kept;
            this.policy = policy;
            this.appVersion = SaveRequests.FindVersion(appVersion);
            kept.Serve(KeptCalls.Saves, SaveNow);
        }

        /// <summary>The last version that this client knows.</summary>
        private sealed class Known
        {
            public long Version;
            public string Json;
        }

        /// <summary>
        /// Loads the save; null if there is none. A save that waits for the network is sent first. If
        /// sending fails, this waiting save is loaded.
        /// </summary>
        /// <param name="slot">A name of your own, up to 64 characters.</param>
        /// <exception cref="OverworldException"/>
        public async Task<CloudSave> Load(string slot = SaveRequests.MainSlot)
        {
            var player = await present.Get();
            return await kept.After(KeptCalls.Saves, () => LoadNow(player, SaveRequests.TargetOf(slot)));
        }

        /// <summary>
        /// Saves, if the server still has the version that was loaded or saved here last (or `version`). If
        /// not, `onConflict` decides. Ends when the data is stored. Saves are sent one after another.
        /// </summary>
        /// <param name="json">The game state, for example from JsonUtility.ToJson; it comes back in exactly this text.</param>
        /// <exception cref="OverworldException">
        /// With `IsKept` without a network: the save is sent later, unless a later save of the slot
        /// replaces it. `conflict` if the server has another version and no policy is given: then
        /// nothing is stored, and every save fails like this until the next Load. With a policy it is
        /// thrown after eight conflicts in a row.
        /// </exception>
        public async Task<SaveResult> Save(string json, ConflictPolicy onConflict = null, long? version = null, string slot = SaveRequests.MainSlot)
        {
            Json.ParseMembers(json);
            var savedAt = api.UtcNow;
            var player = await present.Get();
            var target = SaveRequests.TargetOf(slot);
            var last = kept.Find(KeptCalls.Saves, player, target);
            if (last != null && !last.IsSeen) last = null;
            Known start;
            if (!known.TryGetValue(player + " " + target, out start)) start = last == null ? new Known() : BaseOf(last);
            if (version != null && version != start.Version) start = new Known { Version = version.Value };
            var call = new KeptCall(KeptCalls.Saves, player, target);
            call.Members["text"] = json;
            call.Members["base_version"] = start.Version;
            call.Members["base_text"] = start.Json;
            call.Members["saved_at"] = savedAt;
            call.Members["policy"] = onConflict == null ? null : onConflict.Name;
            List<string> earlier;
            if (!unsure.TryGetValue(player + " " + target, out earlier)) earlier = new List<string>();
            call.Members["earlier"] = last == null ? earlier : Earlier(last);
            // A save that is sent by a later version of the game stays one of this version.
            if (appVersion != null) call.Members["app_version"] = appVersion;
            call.Given = onConflict;
            return (SaveResult)await kept.Make(call);
        }

        /// <summary>Does the same for a state of dictionaries, lists, strings, numbers and booleans, as it is at the call.</summary>
        /// <exception cref="OverworldException"/>
        public Task<SaveResult> Save(IDictionary<string, object> data, ConflictPolicy onConflict = null, long? version = null, string slot = SaveRequests.MainSlot)
        {
            return Save(Json.Write(data), onConflict, version, slot);
        }

        /// <summary>Deletes the save; it is no error if there is none. If the answer is lost, the call is not tried again, because another device may have saved by then.</summary>
        /// <exception cref="OverworldException"/>
        public async Task Delete(string slot = SaveRequests.MainSlot)
        {
            var player = await present.Get();
            await kept.After(KeptCalls.Saves, () => DeleteNow(player, SaveRequests.TargetOf(slot)));
        }

        /// <summary>The slots that have a save: first the main slot, then the others by name. Saves that wait for the network are sent first.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<List<SaveSlot>> List()
        {
            var player = await present.Get();
            var path = "/v1/saves/slots?player_id=" + Uri.EscapeDataString(player);
            var answer = await kept.After(KeptCalls.Saves, () => api.Call("GET", path, "slots", player: player));
            return answer.ReadObject().Each("slots", SaveSlot.Read);
        }

        private async Task<CloudSave> LoadNow(string player, string slot)
        {
            var waiting = kept.Find(KeptCalls.Saves, player, slot);
            if (waiting != null && !waiting.IsAwaited)
            {
                waiting.IsSeen = true;
                var savedAt = waiting.Members.Moment("saved_at") ?? api.UtcNow;
                return new CloudSave(waiting.Members.Text("text"), BaseOf(waiting).Version, savedAt) { IsKept = true };
            }
            try
            {
                var answer = await api.Call("GET", SaveRequests.PathOf(player, slot), "version", player: player);
                var save = SaveRequests.Read(answer.Body, "data", "version");
                known[player + " " + slot] = new Known { Version = save.Version, Json = save.Json };
                return save;
            }
            catch (OverworldException error)
            {
                if (!SaveRequests.IsNoSave(error)) throw;
                known.Remove(player + " " + slot);
                return null;
            }
        }

        private async Task<object> SaveNow(KeptCall call)
        {
            var onConflict = call.Given as ConflictPolicy ?? ConflictPolicy.Find(call.Members.Text("policy")) ?? policy;
            var json = call.Members.Text("text");
            var savedAt = call.Members["saved_at"] as DateTime? ?? call.Members.Moment("saved_at") ?? api.UtcNow;
            var from = BaseOf(call);
            var earlier = call.Members.Texts("earlier");
            Known last;
            // The previous save is stored by now, so this save continues from it. It does not continue
            // from a merge, because it was made before the merge.
            if (known.TryGetValue(call.Key, out last) && earlier.Contains(DigestOf(last.Json))) from = last;
            var wasConflict = false;
            for (var round = 1; ; round++)
            {
                OverworldException conflict;
                try
                {
                    var answer = (await api.Call("PUT", "/v1/saves", "version", SaveRequests.WriteRequest(call, from.Version, json), SaveRequests.VersionHeader(call), player: call.PlayerId)).ReadObject();
                    return Finish(call, new CloudSave(json, answer.Whole("version"), answer.Moment("updated_at") ?? savedAt), wasConflict);
                }
                catch (OverworldException error)
                {
                    if (error.Code != "conflict")
                    {
                        if (call.IsSeen) unsure[call.Key] = Earlier(call);
                        throw;
                    }
                    conflict = error;
                }
                var theirs = SaveRequests.Read(conflict.BodyText, "server_data", "server_version");
                if (!SaveRequests.IsSame(theirs.Json, json) && !earlier.Contains(DigestOf(theirs.Json)))
                {
                    if (onConflict == null) throw conflict;
                    json = await onConflict.Resolve(new SaveConflict(json, savedAt, theirs, from.Json));
                    wasConflict = true;
                }
                // Either the policy chose the data on the server, or that data is ours: it was stored
                // before, and the answer was lost.
                if (SaveRequests.IsSame(theirs.Json, json)) return Finish(call, theirs, wasConflict);
                if (round == MaxRounds) throw conflict;
                from = new Known { Version = theirs.Version, Json = theirs.Json };
                await api.Delay(Backoff.WaitAfter(round + 2 - MaxRounds, null, LongestPause));
            }
        }

        private async Task<bool> DeleteNow(string player, string slot)
        {
            var waiting = kept.Find(KeptCalls.Saves, player, slot);
            if (waiting != null && !waiting.IsAwaited) kept.Remove(waiting);
            try
            {
                await api.Call("DELETE", SaveRequests.PathOf(player, slot), null, null, null, Retry.Refused, player);
            }
            catch (OverworldException error)
            {
                if (!SaveRequests.IsNoSave(error)) throw;
            }
            known.Remove(player + " " + slot);
            return true;
        }

        private SaveResult Finish(KeptCall call, CloudSave stored, bool wasConflict)
        {
            // A game that has not seen this save must get it as a conflict.
            if (call.IsAwaited || (call.IsSeen && !wasConflict))
            {
                unsure.Remove(call.Key);
                known[call.Key] = new Known { Version = stored.Version, Json = stored.Json };
            }
            return new SaveResult(stored.Json, stored.Version, stored.UpdatedAt, wasConflict);
        }

        private static Known BaseOf(KeptCall call)
        {
            return new Known { Version = call.Members.Whole("base_version"), Json = call.Members.Text("base_text") };
        }

        private static string DigestOf(string json)
        {
            return Ids.Digest(Json.Compact(json));
        }

        /// <summary>Digests of the saves of the slot that the server may have stored without an answer.</summary>
        private static List<string> Earlier(KeptCall last)
        {
            var digests = last.Members.Texts("earlier");
            digests.Add(DigestOf(last.Members.Text("text")));
            return digests.GetRange(Math.Max(0, digests.Count - MaxEarlier), Math.Min(MaxEarlier, digests.Count));
        }
    }
}
