using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>A session is play without a pause of half an hour, across restarts, by the clock of the device.</summary>
    internal sealed class Session
    {
        private static readonly TimeSpan MaxPause = TimeSpan.FromMinutes(30);
        private static readonly TimeSpan WriteInterval = TimeSpan.FromSeconds(1);

        private readonly StateFile file;
        private readonly Action<string, string, DateTime, Dictionary<string, object>> track;
        private readonly Dictionary<string, object> startProperties;
        private DateTime startedAt;
        private DateTime lastAt;
        private DateTime writtenAt = DateTime.MinValue;

        /// <param name="track">Takes the name, session, moment and properties of an event.</param>
        /// <param name="startProperties">Properties of the event that starts a session.</param>
        public Session(StateFile file, Dictionary<string, object> startProperties, Action<string, string, DateTime, Dictionary<string, object>> track)
        {
            this.startProperties = startProperties;
            this.file = file;
            this.track = track;
        }

        /// <summary>Reads the session of an earlier start.</summary>
        public void Open()
        {
            var kept = file.Read();
            var started = kept.Moment("started_at");
            if (started == null) return;
            Id = kept.Text("id");
            startedAt = started.Value;
            lastAt = kept.Moment("last_at") ?? startedAt;
        }

        /// <summary>Null between two sessions.</summary>
        public string Id { get; private set; }

        /// <summary>Continues the session, or ends it after a long pause and starts a new one.</summary>
        public void Touch(DateTime now)
        {
            if (Id != null && now - lastAt > MaxPause) End(lastAt);
            var isNew = Id == null;
            if (isNew)
            {
                Id = Ids.Make();
                startedAt = now;
            }
            lastAt = now;
            if (isNew || now - writtenAt >= WriteInterval) Keep();
            if (isNew) track("session_start", Id, now, startProperties);
        }

        public void End(DateTime at)
        {
            if (Id == null) return;
            var milliseconds = (long)Math.Max(0, (at - startedAt).TotalMilliseconds);
            var ended = Id;
            // A kill between the two may lose the event, but never stores it twice.
            Forget();
            track("session_end", ended, at, new Dictionary<string, object> { { "duration_ms", milliseconds } });
        }

        /// <summary>Ends the session without an event.</summary>
        public void Forget()
        {
            Id = null;
            file.Delete();
        }

        private void Keep()
        {
            writtenAt = lastAt;
            file.Write(new Dictionary<string, object> { { "id", Id }, { "started_at", startedAt }, { "last_at", lastAt } });
        }
    }
}
