using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>
    /// The sessions of players on this device: answers to logins, with `is_device` (then also with `device_id` and `secret`,
    /// until they are renewed), and without `refresh_token` after their end. The storage has the session of the next start's player under `login`, and those of other players beside it:
    /// other clients still play as them, or calls of theirs wait.
    /// </summary>
    internal sealed class PlayerSessions
    {
        private readonly IStorage storage;
        private readonly StateFile nextFile;
        /// <summary>The sessions that this client has read or opened; null for a player without one.</summary>
        private readonly Dictionary<string, Dictionary<string, object>> known = new Dictionary<string, Dictionary<string, object>>();

        public PlayerSessions(IStorage storage)
        {
            this.storage = storage;
            nextFile = new StateFile(storage, "login");
        }

        /// <summary>The player who has logged in with this client; null without a login.</summary>
        public string OwnId { get; private set; }

        public Dictionary<string, object> Own { get { return OwnId == null ? null : Find(OwnId); } }

        /// <summary>The player of the next start, as other clients may have changed it; null if it is the anonymous player.</summary>
        public string NextId { get { return nextFile.Read().Text("player_id"); } }

        public void Open()
        {
            var kept = nextFile.Read();
            OwnId = kept.Text("player_id");
            if (OwnId != null) known[OwnId] = kept;
        }

        public bool IsKnown(string player)
        {
            return known.ContainsKey(player);
        }

        public Dictionary<string, object> Find(string player)
        {
            Dictionary<string, object> session;
            return known.TryGetValue(player, out session) ? session : null;
        }

        public string TokenOf(string player)
        {
            var session = Find(player);
            return session == null ? null : session.Text("player_token");
        }

        public static DateTime ExpiryOf(Dictionary<string, object> session)
        {
            return session.Moment("expires_at") ?? DateTime.MaxValue;
        }

        /// <summary>Takes the stored session if it is newer: another client may have renewed it, and an earlier refresh token would then end it.</summary>
        public Dictionary<string, object> Reread(string player)
        {
            var before = Find(player);
            var stored = nextFile.Read();
            if (stored.Text("player_id") != player) stored = FileOf(player).Read();
            var isNewer = stored.Text("player_id") == player && (before == null || ExpiryOf(before) <= ExpiryOf(stored));
            return known[player] = isNewer ? stored : before;
        }

        /// <summary>Stores a session.</summary>
        /// <param name="replaced">The player whom this one replaces as the player of the next start; null for none.</param>
        /// <param name="isChosen">True if the game has chosen this player for itself and for the next start.</param>
        public void Keep(Dictionary<string, object> session, string replaced, bool isChosen)
        {
            var id = session.Text("player_id");
            known[id] = session;
            var next = nextFile.Read();
            var nextId = next.Text("player_id");
            var isOther = nextId != null && nextId != id;
            var isNext = isChosen || (isOther ? nextId == replaced : nextId != null || session.Flag("is_device"));
            var hasEnded = session.Text("refresh_token") == null;
            if (isChosen && isOther) FileOf(nextId).Write(next);
            if (isNext) nextFile.Write(session);
            else if (!hasEnded) FileOf(id).Write(session);
            if (isNext || hasEnded) FileOf(id).Delete();
            if (isChosen || (replaced != null && OwnId == null)) OwnId = id;
        }

        /// <summary>Ends the session of this client. Its token is valid for up to an hour: with it, the calls and events that still wait are sent.</summary>
        /// <returns>The refresh token; null if there was none.</returns>
        public string Leave()
        {
            var last = Own;
            var id = OwnId;
            OwnId = null;
            if (last == null) return null;
            var ended = new Dictionary<string, object>(last);
            ended.Remove("refresh_token");
            known[id] = ended;
            if (NextId == id) nextFile.Delete();
            FileOf(id).Delete();
            return last.Text("refresh_token");
        }

        /// <summary>Removes the session of an erased player.</summary>
        public void Forget(string player)
        {
            if (OwnId == player) Leave();
            known[player] = null;
        }

        private StateFile FileOf(string player)
        {
            return new StateFile(storage, "login-" + Ids.Digest(player));
        }
    }
}
