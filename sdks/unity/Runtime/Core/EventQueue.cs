using System;
using System.Collections.Generic;

namespace Overworld
{
    /// <summary>Events that are not sent yet, in order, in batches; kept by a storage as they come.</summary>
    internal sealed class EventQueue
    {
        private readonly IStorage storage;
        private readonly List<EventBatch> batches = new List<EventBatch>();
        private long nextNumber = 1;

        public EventQueue(IStorage storage)
        {
            this.storage = storage;
            StateFile.Try(Load);
        }

        public int Count { get; private set; }

        /// <summary>Whether the first batch needs not wait for more events.</summary>
        public bool HasFullBatch { get { return batches.Count > 1 || (batches.Count == 1 && batches[0].IsFull); } }

        /// <param name="isServerTime">Whether its time is by the server's clock; else it is corrected when it is first sent.</param>
        public void Add(string json, bool isServerTime)
        {
            var last = batches.Count > 0 ? batches[batches.Count - 1] : null;
            if (last == null || !last.HasRoomFor(json))
            {
                last = new EventBatch(nextNumber++, 0, Ids.Make());
                batches.Add(last);
            }
            var line = last.Add(json, isServerTime);
            Count++;
            StateFile.Try(() => storage.Append(last.Name, line));
        }

        /// <summary>The oldest batch, to which nothing is added from now on; null when nothing waits.</summary>
        public EventBatch SealFirst()
        {
            if (batches.Count == 0) return null;
            batches[0].IsSealed = true;
            return batches[0];
        }

        /// <summary>Notes, before it happens, that a batch is sent; the first time its times are corrected.</summary>
        public void MarkSent(EventBatch batch, DateTime at, TimeSpan clockOffset)
        {
            if (batch.FirstSentAt != null) return;
            if (batch.CorrectTimes(clockOffset)) StateFile.Try(() => storage.Write(batch.Name, batch.Write()));
            var line = batch.MarkSent(at);
            StateFile.Try(() => storage.Append(batch.Name, line));
        }

        public void Remove(EventBatch batch)
        {
            if (!batches.Remove(batch)) return;
            Count -= batch.Events.Count;
            StateFile.Try(() => storage.Delete(batch.Name));
        }

        /// <summary>Puts what remains of a batch in its place, under a new key.</summary>
        public void Replace(EventBatch batch, List<string> events)
        {
            if (events.Count == 0)
            {
                Remove(batch);
                return;
            }
            var rest = new EventBatch(batch.Number, batch.Revision + 1, Ids.Make()) { IsSealed = true };
            foreach (var json in events) rest.Add(json, true);
            batches[batches.IndexOf(batch)] = rest;
            Count += events.Count - batch.Events.Count;
            // Written before the old one goes: of two with one number the later revision counts.
            StateFile.Try(() => storage.Write(rest.Name, rest.Write()));
            StateFile.Try(() => storage.Delete(batch.Name));
        }

        /// <summary>Takes out the oldest batch that is not being sent; null when there is none.</summary>
        public EventBatch DropOldest(EventBatch underWay)
        {
            var oldest = batches.Find(batch => batch != underWay);
            if (oldest != null) Remove(oldest);
            return oldest;
        }

        private void Load()
        {
            foreach (var name in storage.List(EventBatch.NamePrefix))
            {
                var batch = EventBatch.Load(name, storage.Read(name) ?? "");
                if (batch == null || batch.Events.Count == 0)
                {
                    storage.Delete(name);
                    continue;
                }
                var last = batches.Count > 0 ? batches[batches.Count - 1] : null;
                if (last != null && last.Number == batch.Number) Remove(last);
                batches.Add(batch);
                Count += batch.Events.Count;
                nextNumber = Math.Max(nextNumber, batch.Number + 1);
            }
        }
    }
}
