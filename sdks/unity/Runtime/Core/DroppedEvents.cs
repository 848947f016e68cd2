using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>Reasons for which events are not stored.</summary>
    public enum DropReason
    {
        /// <summary>The queue was full, and these events were the oldest in it.</summary>
        QueueFull,
        /// <summary>The server refused the events: `Message` and `Violations` say why.</summary>
        Rejected,
        /// <summary>The monthly event quota of the game is used up.</summary>
        QuotaExceeded,
        /// <summary>The events were sent and never answered. They are so old that sending them again could store them twice.</summary>
        OutcomeUnknown,
        /// <summary>The events have no name, cannot be written as JSON, or have more than 50 kB.</summary>
        Unsendable,
        /// <summary>The events were tracked after `Close`.</summary>
        Closed,
    }

    /// <summary>An error in an event.</summary>
    public sealed class EventViolation
    {
        /// <summary>Index of the event in its list.</summary>
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
        /// <summary>Number of events; `Events` lacks those that cannot be written as JSON.</summary>
        public readonly int Count;
        /// <summary>The events, as JSON.</summary>
        public readonly IList<string> Events;
        /// <summary>Error of the server, if it refused them; else null.</summary>
        public readonly string Message;
        /// <summary>With `Rejected`: the errors of each event, by its index in `Events`; empty if the server gave none.</summary>
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
