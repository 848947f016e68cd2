using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Overworld
{
    /// <summary>Events that wait together, at most as many as go in one request; kept in one text: a line each.</summary>
    internal sealed class EventBatch
    {
        public const string NamePrefix = "queue-";
        public const int MaxEvents = 100;
        /// <summary>What a page that closes may send, in a browser; far below the limits of proxies.</summary>
        private const int MaxBytes = 56000;
        /// <summary>Begins the line that says how many of its events were sent, and when first.</summary>
        private const char SentMark = '@';
        /// <summary>Begins the line that says that the oldest event that was never sent is dropped.</summary>
        private const char DropMark = '-';
        /// <summary>Begins the line of an event whose time is by the clock of the device.</summary>
        private const char DeviceTimeMark = '~';

        /// <summary>Place in the queue; the oldest has the lowest.</summary>
        public readonly long Number;
        /// <summary>How often what remains of it took its place, each time under a new key.</summary>
        public readonly int Revision;
        /// <summary>The Idempotency-Key. It stands for exactly the events that were sent with it.</summary>
        public readonly string Key;
        public readonly List<string> Events = new List<string>();
        /// <summary>No event is added any more.</summary>
        public bool IsSealed;
        /// <summary>By the server's clock, as far as it was known; null before.</summary>
        public DateTime? FirstSentAt;
        /// <summary>So many of the first events were sent, and may be stored.</summary>
        private int sentCount;
        /// <summary>So many of the first events have a time by the clock of the device.</summary>
        private int deviceTimeCount;
        private int bytes;

        public EventBatch(long number, int revision, string key)
        {
            Number = number;
            Revision = revision;
            Key = key;
        }

        public string Name
        {
            get { return string.Format(CultureInfo.InvariantCulture, "{0}{1:D15}-{2:D4}-{3}", NamePrefix, Number, Revision, Key); }
        }

        /// <summary>The events that go in the request, fixed once it is sent.</summary>
        public List<string> Sent { get { return Events.GetRange(0, sentCount); } }

        /// <summary>The events that go after those.</summary>
        public List<string> Unsent { get { return Events.GetRange(sentCount, Events.Count - sentCount); } }

        public string Body { get { return "[" + string.Join(",", Sent.ToArray()) + "]"; } }

        public bool IsFull { get { return Events.Count >= MaxEvents; } }

        public bool HasRoomFor(string json)
        {
            return !IsSealed && !IsFull && bytes + Encoding.UTF8.GetByteCount(json) <= MaxBytes;
        }

        /// <summary>Adds an event. The line to be kept for it.</summary>
        public string Add(string json, bool isServerTime)
        {
            Events.Add(json);
            bytes += Encoding.UTF8.GetByteCount(json);
            if (isServerTime) return json + "\n";
            deviceTimeCount = Events.Count;
            return DeviceTimeMark + json + "\n";
        }

        /// <summary>Notes that so many of its events, or all, are sent for the first time. The line to be kept for that.</summary>
        public string MarkSent(DateTime at, int maxEvents)
        {
            FirstSentAt = at;
            sentCount = Math.Min(maxEvents, Events.Count);
            return string.Format(CultureInfo.InvariantCulture, "{0}{1} {2}\n", SentMark, sentCount, Timestamp.Format(at));
        }

        /// <summary>Takes out the oldest event that was never sent. The line to be kept for that.</summary>
        public string DropOldestUnsent()
        {
            bytes -= Encoding.UTF8.GetByteCount(Events[sentCount]);
            Events.RemoveAt(sentCount);
            if (deviceTimeCount > sentCount) deviceTimeCount--;
            return DropMark + "\n";
        }

        /// <summary>Corrects the times of a batch that was never sent. Whether there was one to correct.</summary>
        public bool CorrectTimes(TimeSpan offset)
        {
            if (FirstSentAt != null || offset == TimeSpan.Zero || deviceTimeCount == 0) return false;
            for (var i = 0; i < deviceTimeCount; i++) Events[i] = QueuedEvent.Shift(Events[i], offset);
            deviceTimeCount = 0;
            return true;
        }

        /// <summary>All that is kept of it.</summary>
        public string Write()
        {
            return string.Join("\n", Events.ToArray()) + "\n";
        }

        /// <summary>The batch of a name, without its events; null when the name is none.</summary>
        public static EventBatch Named(string name)
        {
            var parts = name.Substring(NamePrefix.Length).Split(new[] { '-' }, 3);
            long number;
            int revision;
            if (parts.Length != 3 || !long.TryParse(parts[0], out number) || !int.TryParse(parts[1], out revision)) return null;
            return new EventBatch(number, revision, parts[2]);
        }

        /// <summary>Reads what was kept. Its last line counts only when it was written whole.</summary>
        public void Read(string text)
        {
            IsSealed = true;
            var end = text.LastIndexOf('\n');
            foreach (var line in end < 0 ? new string[0] : text.Substring(0, end).Split('\n'))
            {
                if (line.Length == 0) continue;
                if (line[0] == SentMark) ReadSent(line.Substring(1).Split(' '));
                else if (line[0] == DropMark) DropOldestUnsent();
                else if (line[0] == DeviceTimeMark) Add(line.Substring(1), false);
                else Add(line, true);
            }
        }

        private void ReadSent(string[] countAndTime)
        {
            sentCount = int.Parse(countAndTime[0], CultureInfo.InvariantCulture);
            FirstSentAt = Timestamp.Parse(countAndTime[1]);
        }
    }
}
