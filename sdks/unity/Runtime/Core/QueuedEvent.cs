using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>The text of an event, as it is stored and sent.</summary>
    internal static class QueuedEvent
    {
        private const string TimeMember = "client_timestamp";

        /// <exception cref="ArgumentException">JSON cannot represent a property.</exception>
        public static string Write(string eventName, string sessionId, string playerId, IDictionary<string, object> properties, DateTime at)
        {
            var members = new List<KeyValuePair<string, string>>
            {
                new KeyValuePair<string, string>("event_name", Json.Write(eventName)),
                new KeyValuePair<string, string>("session_id", Json.Write(sessionId)),
                new KeyValuePair<string, string>("player_id", Json.Write(playerId)),
            };
            if (properties != null) members.Add(new KeyValuePair<string, string>("properties", Json.Write(properties)));
            members.Add(TimeOf(at));
            return Json.WriteMembers(members);
        }

        /// <summary>The event with a later time.</summary>
        public static string Shift(string json, TimeSpan by)
        {
            var members = Json.ParseMembers(json);
            var place = members.FindIndex(member => member.Key == TimeMember);
            var at = Timestamp.Parse((string)Json.Parse(members[place].Value));
            members[place] = TimeOf(at.Value + by);
            return Json.WriteMembers(members);
        }

        private static KeyValuePair<string, string> TimeOf(DateTime at)
        {
            return new KeyValuePair<string, string>(TimeMember, Json.Write(Timestamp.Format(at)));
        }
    }
}
