using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>Saves as requests and answers have them.</summary>
    internal static class SaveRequests
    {
        /// <summary>The slot of calls that name no slot.</summary>
        public const string MainSlot = "main";

        private const int MaxVersionLength = 64;

        /// <summary>The name by which kept calls and requests know a slot.</summary>
        public static string TargetOf(string slot)
        {
            return slot == MainSlot ? "" : slot;
        }

        public static string WriteRequest(KeptCall call, long version, string json)
        {
            var members = new List<KeyValuePair<string, string>> { new KeyValuePair<string, string>("player_id", Json.Write(call.PlayerId)) };
            if (call.Target != "") members.Add(new KeyValuePair<string, string>("slot", Json.Write(call.Target)));
            members.Add(new KeyValuePair<string, string>("version", Json.Write(version)));
            members.Add(new KeyValuePair<string, string>("data", json));
            return Json.WriteMembers(members);
        }

        /// <summary>The header that names the version of the game that made a save; null if the game has none.</summary>
        public static KeyValuePair<string, string>? VersionHeader(KeptCall call)
        {
            var version = call.Members.Text("app_version");
            if (string.IsNullOrEmpty(version)) return null;
            return new KeyValuePair<string, string>("overworld-app-version", version);
        }

        /// <summary>The version of the game if a header can carry it: 1 to 64 printable characters of ASCII. Otherwise null.</summary>
        public static string FindVersion(string given)
        {
            var version = given == null ? "" : given.Trim();
            if (version == "" || version.Length > MaxVersionLength) return null;
            foreach (var character in version)
            {
                if (character < ' ' || character > '~') return null;
            }
            return version;
        }

        public static string PathOf(string player, string slot)
        {
            var path = "/v1/saves?player_id=" + Uri.EscapeDataString(player);
            return slot == "" ? path : path + "&slot=" + Uri.EscapeDataString(slot);
        }

        public static CloudSave Read(string body, string dataName, string versionName)
        {
            var json = Json.ParseMembers(body).FindLast(member => member.Key == dataName).Value;
            var members = Json.TryParseObject(body);
            return new CloudSave(json, members.Whole(versionName), members.Moment("updated_at") ?? DateTime.MinValue);
        }

        public static bool IsSame(string a, string b)
        {
            return a == b || Json.Compact(a) == Json.Compact(b);
        }

        /// <summary>A 404 of a proxy does not mean that there is no save.</summary>
        public static bool IsNoSave(OverworldException error)
        {
            return error.Body.Text("error") == "No save found";
        }
    }
}
