using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Messages of the studio to the player.</summary>
    public sealed class Messages
    {
        private const string Path = "/v1/messages";
        private static readonly TimeSpan BetweenLooks = TimeSpan.FromMinutes(5);

        private readonly ApiClient api;
        private readonly Clock clock;
        private readonly StateFile file;
        private readonly Player player;
        private readonly EventReports reports;
        /// <summary>The last list of the server: `player_id`, `etag` and `answer`. Empty before the first one.</summary>
        private Dictionary<string, object> known = new Dictionary<string, object>();
        private string language;
        private DateTime lookedAt = DateTime.MinValue;

        internal Messages(ApiClient api, Clock clock, StateFile file, Player player, EventReports reports)
        {
            this.api = api;
            this.clock = clock;
            this.file = file;
            this.player = player;
            this.reports = reports;
        }

        /// <summary>Reads the list of an earlier start.</summary>
        internal void Open()
        {
            known = file.Read();
        }

        /// <summary>While the game listens, looks for new messages now and then.</summary>
        internal async void Tick()
        {
            // The clock may have been set back.
            if (reports.OnMessages == null || (clock.UtcNow - lookedAt).Duration() < BetweenLooks) return;
            lookedAt = clock.UtcNow;
            try
            {
                await List();
            }
            catch (OverworldException)
            {
                // The next look comes.
            }
        }

        /// <summary>
        /// The newest 200 messages of the player. While nothing has changed, the server's answer has no body. If the server
        /// is not reached, it gives the last list, even that of an earlier start.
        /// </summary>
        /// <param name="locale">The language of the texts, such as `pt-BR`, if the message has them in it; without it that of the list before.</param>
        /// <exception cref="OverworldException">The server is not reached and has never given a list.</exception>
        public async Task<MessageList> List(string locale = null)
        {
            var id = await player.Get();
            language = locale ?? language;
            var last = FindKnown(id);
            var etag = last.Text("etag");
            var condition = etag == null ? (KeyValuePair<string, string>?)null : new KeyValuePair<string, string>("If-None-Match", etag);
            var path = Path + "?player_id=" + Uri.EscapeDataString(id) + Locales.Query(language) + "&limit=200";
            try
            {
                var answer = await api.Call("GET", path, "messages", null, condition, player: id);
                if (answer.Status != 304) last = Keep(id, answer);
                return Read(last, false);
            }
            catch (OverworldException)
            {
                if (last.Count == 0) throw;
                return Read(last, true);
            }
        }

        /// <summary>Marks a message as read.</summary>
        /// <exception cref="OverworldException"/>
        public async Task Read(string messageId)
        {
            await Act(messageId, "/read", "read_at");
        }

        /// <summary>
        /// Claims the rewards of a message, once. The server changes statistics and unlocks achievements; the game gives items.
        /// The rewards are in the answer, so without a network a claim fails and is not kept: let the player claim again. It
        /// may have been stored although its answer was lost, and a claim that is made again has the same rewards. So keep the
        /// ids of the messages whose items the player has, and give the items of all others.
        /// </summary>
        /// <exception cref="OverworldException"/>
        public async Task<MessageClaim> Claim(string messageId)
        {
            var body = (await Act(messageId, "/claim", "claimed_at")).ReadObject();
            return new MessageClaim
            {
                AlreadyClaimed = body.Flag("already_claimed"),
                ClaimedAt = body.Moment("claimed_at"),
                Rewards = body.Each("rewards", Reward.Read),
            };
        }

        /// <summary>Deletes a message of the player.</summary>
        /// <exception cref="OverworldException">Status 404: the player has no such message.</exception>
        public async Task Delete(string messageId)
        {
            var id = await player.Get();
            await api.Call("DELETE", PathOf(messageId) + "?player_id=" + Uri.EscapeDataString(id), null, player: id);
        }

        private async Task<HttpAnswer> Act(string messageId, string action, string gives)
        {
            var id = await player.Get();
            var body = Json.Write(new Dictionary<string, object> { { "player_id", id } });
            return await api.Call("POST", PathOf(messageId) + action, gives, body, player: id);
        }

        /// <summary>Keeps an answer, and tells about unread messages that no earlier list had.</summary>
        private Dictionary<string, object> Keep(string id, HttpAnswer answer)
        {
            var next = new Dictionary<string, object> { { "player_id", id }, { "etag", answer.GetHeader("ETag") }, { "answer", answer.Body } };
            // Otherwise the player has changed in the meantime.
            if (id != player.Id) return next;
            var old = Read(FindKnown(id), false).Messages;
            var fresh = Read(next, false).Messages.FindAll(message => !message.Read && !old.Exists(each => each.Id == message.Id));
            known = next;
            file.Write(known);
            reports.TellMessages(fresh);
            return next;
        }

        private Dictionary<string, object> FindKnown(string id)
        {
            return known.Text("player_id") == id ? known : new Dictionary<string, object>();
        }

        private static string PathOf(string messageId)
        {
            return Path + "/" + Uri.EscapeDataString(messageId);
        }

        private static MessageList Read(Dictionary<string, object> from, bool isStale)
        {
            var body = Json.TryParseObject(from.Text("answer") ?? "{}") ?? new Dictionary<string, object>();
            return new MessageList
            {
                Messages = body.Each("messages", PlayerMessage.From),
                UnreadCount = body.Whole("unread_count"),
                IsStale = isStale,
            };
        }
    }
}
