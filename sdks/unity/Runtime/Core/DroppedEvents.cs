using System.Collections.Generic;

namespace Overworld
{
    /// <summary>Why events will not be stored.</summary>
    public enum DropReason
    {
        /// <summary>More events waited than are kept; these were the oldest.</summary>
        QueueFull,
        /// <summary>The server refuses them: `Message` and `Violations` say why.</summary>
        Rejected,
        /// <summary>The monthly event quota of the game is used up.</summary>
        QuotaExceeded,
        /// <summary>Sent, never answered, and now so old that sending again might store them twice.</summary>
        OutcomeUnknown,
        /// <summary>Without a name, with a value that JSON has no form for, or of more than 50 kB.</summary>
        Unsendable,
        /// <summary>Tracked after `Close`.</summary>
        Closed,
    }

    /// <summary>What is wrong with an event.</summary>
    public sealed class EventViolation
    {
        /// <summary>Place of the event in its list.</summary>
        public int Index;
        public string EventName;
        /// <summary>The field, such as `properties.price`; empty for the event as a whole.</summary>
        public string Path;
        public string Message;
    }

    /// <summary>Events that were tracked and will not be stored.</summary>
    public sealed class DroppedEvents
    {
        public readonly DropReason Reason;
        /// <summary>How many; `Events` lacks those that have no form in JSON.</summary>
        public readonly int Count;
        /// <summary>The events, as JSON.</summary>
        public readonly IList<string> Events;
        /// <summary>What the server said, where it refused them; else null.</summary>
        public readonly string Message;
        /// <summary>With `Rejected`: what is wrong with each, by its index in `Events`; empty where it did not say.</summary>
        public readonly IList<EventViolation> Violations;

        internal DroppedEvents(DropReason reason, int count, IList<string> events, string message, IList<EventViolation> violations)
        {
            Reason = reason;
            Count = count;
            Events = events;
            Message = message;
            Violations = violations;
        }
    }
}
