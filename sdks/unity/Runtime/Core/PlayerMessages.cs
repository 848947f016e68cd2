using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>Something that a player gets by claiming a message.</summary>
    public sealed class Reward
    {
        /// <summary>`item`: the game gives it. The server has changed a `stat` and unlocked an `achievement` with the claim.</summary>
        public string Type;
        /// <summary>The name of the item, or the key of the statistic or the achievement.</summary>
        public string Key;
        /// <summary>Of an item; 0 for others.</summary>
        public long Quantity;
        /// <summary>The change of a statistic; 0 for others.</summary>
        public double Value;
        /// <summary>What else the studio says about an item; null without it.</summary>
        public Dictionary<string, object> Data;

        internal static Reward Read(Dictionary<string, object> from)
        {
            return new Reward
            {
                Type = from.Text("type"),
                Key = from.Text("key"),
                Quantity = from.Whole("quantity"),
                Value = from.Number("value"),
                Data = from.Object("data"),
            };
        }
    }

    public sealed class PlayerMessage
    {
        public string Id;
        public string Title;
        /// <summary>May be empty.</summary>
        public string Text;
        /// <summary>The language of the texts; null for the default one.</summary>
        public string Locale;
        /// <summary>What the studio has sent for the game.</summary>
        public Dictionary<string, object> Data;
        /// <summary>What the player gets by `Claim`.</summary>
        public List<Reward> Rewards;
        public DateTime? StartsAt;
        /// <summary>Null if the message has no end.</summary>
        public DateTime? EndsAt;
        public bool Read;
        public bool Claimed;

        internal static PlayerMessage From(Dictionary<string, object> from)
        {
            return new PlayerMessage
            {
                Id = from.Text("id"),
                Title = from.Text("title"),
                Text = from.Text("text"),
                Locale = from.Text("locale"),
                Data = from.Object("data") ?? new Dictionary<string, object>(),
                Rewards = from.Each("rewards", Reward.Read),
                StartsAt = from.Moment("starts_at"),
                EndsAt = from.Moment("ends_at"),
                Read = from.Flag("read"),
                Claimed = from.Flag("claimed"),
            };
        }
    }

    public sealed class MessageList
    {
        /// <summary>The newest first, 200 at most.</summary>
        public List<PlayerMessage> Messages;
        public long UnreadCount;
        /// <summary>True if the server was not reached: then these are the messages of the last list.</summary>
        public bool IsStale;
    }

    public sealed class MessageClaim
    {
        /// <summary>True if the message was claimed before, also if an answer was lost.</summary>
        public bool AlreadyClaimed;
        public DateTime? ClaimedAt;
        /// <summary>The same at each claim.</summary>
        public List<Reward> Rewards;
    }
}
