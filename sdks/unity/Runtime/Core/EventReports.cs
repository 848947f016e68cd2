using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace OverworldSdk
{
    /// <summary>Reports dropped events, warnings and errors to the game.</summary>
    internal sealed class EventReports
    {
        private readonly Hints hints;
        /// <summary>Null while the storage has taken everything.</summary>
        private OverworldException storageFailure;
        private bool isStorageFailureNew;

        public EventReports(Hints hints)
        {
            this.hints = hints;
        }

        public Action<DroppedEvents> OnDrop;
        public Action<IList<EventViolation>> OnWarning;
        public Action<OverworldException> OnError;
        public Action<string> OnOtherPlayer;
        public Action<IList<PlayerMessage>> OnMessages;

        public long DroppedCount { get; private set; }

        /// <param name="count">Number of events, if there are more than `events`.</param>
        public void TellDropped(DropReason reason, IList<string> events, string message = null,
            IList<EventViolation> violations = null, int? count = null)
        {
            var dropped = new DroppedEvents(reason, count ?? events.Count, events, message, violations ?? new EventViolation[0]);
            DroppedCount += dropped.Count;
            hints.SayDropped(dropped);
            Tell(OnDrop, dropped);
        }

        public void TellWarnings(IList<EventViolation> warnings)
        {
            hints.SayWarnings(warnings);
            if (warnings.Count > 0) Tell(OnWarning, warnings);
        }

        public void TellError(OverworldException error)
        {
            Tell(OnError, error);
        }

        /// <summary>Tells once. The storage may fail before the game has the client and its listeners.</summary>
        public void TellStorageFailure(Exception cause)
        {
            if (storageFailure != null) return;
            storageFailure = OverworldException.OfStorage(cause);
            isStorageFailureNew = true;
            hints.Say(storageFailure.Message);
        }

        /// <summary>Tells what has happened since the last frame.</summary>
        public void Tick()
        {
            if (!isStorageFailureNew) return;
            isStorageFailureNew = false;
            TellError(storageFailure);
        }

        public void TellMessages(IList<PlayerMessage> messages)
        {
            if (messages.Count > 0) Tell(OnMessages, messages);
        }

        public void TellOtherPlayer(string playerId)
        {
            Tell(OnOtherPlayer, playerId);
        }

        /// <summary>The engine reports the error of a listener, and the SDK continues.</summary>
        private static void Tell<T>(Action<T> listeners, T what)
        {
            try
            {
                if (listeners != null) listeners(what);
            }
            catch (Exception error)
            {
                var thrown = ExceptionDispatchInfo.Capture(error);
                if (SynchronizationContext.Current != null) SynchronizationContext.Current.Post(ignored => thrown.Throw(), null);
            }
        }
    }
}
