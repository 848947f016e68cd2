using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace OverworldSdk
{
    /// <summary>A batch: events that are sent in one request. The storage keeps it as one text, a line each.</summary>
    internal sealed class EventBatch
    {
        public const string NamePrefix = "queue-";
        public const int MaxEvents = 100;
        /// <summary>A closing page in a browser can send this much; the limits of proxies are far higher.</summary>
        private const int MaxBytes = 56000;
        /// <summary>Begins the line with the number of events that were sent, and the time of the first try.</summary>
        private const char SentMark = '@';
        /// <summary>Begins the line that drops the oldest event that was never sent.</summary>
        private const char DropMark = '-';
        /// <summary>Begins the line of an event whose time follows the clock of the device.</summary>
        private const char DeviceTimeMark = '~';

        /// <summary>Place in the queue; the oldest has the lowest.</summary>
        public readonly long Number;
        /// <summary>Number of times that its remaining events were put under a new key.</summary>
        public readonly int Revision;
        /// <summary>The Idempotency-Key, which belongs to exactly the events that were sent with it.</summary>
        public readonly string Key;
        public readonly List<string> Events = new List<string>();
        /// <summary>No further event is added.</summary>
        public bool IsSealed;
        /// <summary>The time of the first sending, by the server's clock as far as it was known; null before it is sent.</summary>
        public DateTime? FirstSentAt;
        /// <summary>Number of events from the first on that were sent, and may be stored.</summary>
        private int sentCount;
        /// <summary>Number of events from the first on whose time follows the clock of the device.</summary>
        private int deviceTimeCount;
        private int bytes;
        private string playerId;

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

        /// <summary>The events of the request, fixed once it is sent.</summary>
        public List<string> Sent { get { return Events.GetRange(0, sentCount); } }

        /// <summary>The events after those of the request.</summary>
        public List<string> Unsent { get { return Events.GetRange(sentCount, Events.Count - sentCount); } }

        /// <summary>The player of its events: a request carries the token of one player.</summary>
        public string PlayerId
        {
            get { return playerId ?? (playerId = (Json.TryParseObject(Events[0]) ?? new Dictionary<string, object>()).Text("player_id")); }
        }

        public string Body { get { return "[" + string.Join(",", Sent.ToArray()) + "]"; } }

        public bool IsFull { get { return Events.Count >= MaxEvents; } }

        public bool HasRoomFor(string json)
        {
            return !IsSealed && !IsFull && bytes + Encoding.UTF8.GetByteCount(json) <= MaxBytes;
        }

        /// <summary>Adds an event. Returns its line for the storage.</summary>
        public string Add(string json, bool isServerTime)
        {
            Events.Add(json);
            bytes += Encoding.UTF8.GetByteCount(json);
            if (isServerTime) return json + "\n";
            deviceTimeCount = Events.Count;
            return DeviceTimeMark + json + "\n";
        }

        /// <summary>Notes the first try with this many events, or all. Returns the line for the storage.</summary>
        public string MarkSent(DateTime at, int maxEvents)
        {
            FirstSentAt = at;
            sentCount = Math.Min(maxEvents, Events.Count);
            return string.Format(CultureInfo.InvariantCulture, "{0}{1} {2}\n", SentMark, sentCount, Timestamp.Format(at));
        }

        /// <summary>Removes the oldest event that was never sent. Returns the line for the storage.</summary>
        public string DropOldestUnsent()
        {
            bytes -= Encoding.UTF8.GetByteCount(Events[sentCount]);
            Events.RemoveAt(sentCount);
            if (deviceTimeCount > sentCount) deviceTimeCount--;
            return DropMark + "\n";
        }

        /// <summary>Corrects the times of a batch that was never sent. Returns whether a time changed.</summary>
        public bool CorrectTimes(TimeSpan offset)
        {
            if (FirstSentAt != null || offset == TimeSpan.Zero || deviceTimeCount == 0) return false;
            for (var i = 0; i < deviceTimeCount; i++) Events[i] = QueuedEvent.Shift(Events[i], offset);
            deviceTimeCount = 0;
            return true;
        }

        /// <summary>Its text in the storage.</summary>
        public string Write()
        {
            return string.Join("\n", Events.ToArray()) + "\n";
        }

        /// <summary>The batch of a name, without its events; null if it is not the name of a batch.</summary>
        public static EventBatch Named(string name)
        {
            var parts = name.Substring(NamePrefix.Length).Split(new[] { '-' }, 3);
            long number;
            int revision;
            if (parts.Length != 3 || !long.TryParse(parts[0], out number) || !int.TryParse(parts[1], out revision)) return null;
            return new EventBatch(number, revision, parts[2]);
        }

        /// <summary>Reads its text in the storage. The last line counts only if it is complete.</summary>
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
