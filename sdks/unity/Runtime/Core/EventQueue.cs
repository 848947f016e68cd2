using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>The unsent events in order, in batches. The storage keeps each one as it comes.</summary>
    internal sealed class EventQueue
    {
        private readonly IStorage storage;
        private readonly List<EventBatch> batches = new List<EventBatch>();
        private long nextNumber = 1;

        public EventQueue(IStorage storage)
        {
            this.storage = storage;
        }

        /// <summary>Reads the events of earlier starts.</summary>
        public void Open()
        {
            StateFile.Try(Load);
        }

        public int Count { get; private set; }

        /// <summary>Tells whether the events of a player wait until this player logs in.</summary>
        public Predicate<string> IsAbsent = player => false;

        /// <summary>The oldest batch that can be sent now; null if there is none.</summary>
        public EventBatch First { get { return batches.Find(batch => !IsAbsent(batch.PlayerId)); } }

        /// <summary>True if the first batch can be sent without waiting for more events.</summary>
        public bool HasFullBatch
        {
            get
            {
                var ready = batches.FindAll(batch => !IsAbsent(batch.PlayerId));
                return ready.Count > 1 || (ready.Count == 1 && ready[0].IsFull);
            }
        }

        /// <param name="isServerTime">Whether its time is by the server's clock; else it is corrected when it is first sent.</param>
        public void Add(string json, string player, bool isServerTime)
        {
            var last = batches.Count > 0 ? batches[batches.Count - 1] : null;
            if (last == null || !last.HasRoomFor(json) || last.PlayerId != player)
            {
                last = new EventBatch(nextNumber++, 0, Ids.Make());
                batches.Add(last);
            }
            var line = last.Add(json, isServerTime);
            Count++;
            StateFile.Try(() => storage.Append(last.Name, line));
        }

        /// <summary>Notes that a batch is about to be sent. The first time corrects its times, and fixes the content of the request.</summary>
        public void MarkSent(EventBatch batch, DateTime at, TimeSpan clockOffset, int maxEvents)
        {
            if (batch.FirstSentAt != null) return;
            if (batch.CorrectTimes(clockOffset)) StateFile.Try(() => storage.Write(batch.Name, batch.Write()));
            var line = batch.MarkSent(at, maxEvents);
            StateFile.Try(() => storage.Append(batch.Name, line));
        }

        /// <summary>Removes all events of an erased player.</summary>
        public void Forget(string player)
        {
            foreach (var batch in batches.FindAll(each => each.PlayerId == player)) Remove(batch);
        }

        private void Remove(EventBatch batch)
        {
            if (!batches.Remove(batch)) return;
            Count -= batch.Events.Count;
            StateFile.Try(() => storage.Delete(batch.Name));
        }

        /// <summary>Replaces a batch by its remaining events, to be sent under a new key.</summary>
        public void Replace(EventBatch batch, List<string> events)
        {
            // The player of a batch on its way may have been erased.
            if (events.Count == 0 || !batches.Contains(batch))
            {
                Remove(batch);
                return;
            }
            var rest = new EventBatch(batch.Number, batch.Revision + 1, Ids.Make()) { IsSealed = true };
            foreach (var json in events) rest.Add(json, true);
            batches[batches.IndexOf(batch)] = rest;
            Count += events.Count - batch.Events.Count;
            // The new text is written before the old one is removed. The later revision counts.
            StateFile.Try(() => storage.Write(rest.Name, rest.Write()));
            StateFile.Try(() => storage.Delete(batch.Name));
        }

        /// <summary>Removes the oldest event that was never sent; others may be stored. Null when there is none.</summary>
        public string DropOldest()
        {
            var batch = batches.Find(each => each.Unsent.Count > 0);
            if (batch == null) return null;
            var oldest = batch.Unsent[0];
            if (batch.Events.Count == 1)
            {
                Remove(batch);
                return oldest;
            }
            var line = batch.DropOldestUnsent();
            Count--;
            StateFile.Try(() => storage.Append(batch.Name, line));
            return oldest;
        }

        private void Load()
        {
            // A file that another program locks now does not keep the others from being sent.
            foreach (var name in storage.List(EventBatch.NamePrefix)) StateFile.Try(() => Load(name));
        }

        private void Load(string name)
        {
            var batch = EventBatch.Named(name);
            var text = "";
            if (batch != null)
            {
                nextNumber = Math.Max(nextNumber, batch.Number + 1);
                text = storage.Read(name) ?? "";
                batch.Read(text);
            }
            if (batch == null || batch.Events.Count == 0)
            {
                storage.Delete(name);
                return;
            }
            // The next line must not continue a line that a crash has cut.
            if (!text.EndsWith("\n", StringComparison.Ordinal)) storage.Write(name, text.Substring(0, text.LastIndexOf('\n') + 1));
            var last = batches.Count > 0 ? batches[batches.Count - 1] : null;
            if (last != null && last.Number == batch.Number) Remove(last);
            batches.Add(batch);
            Count += batch.Events.Count;
        }
    }
}
