using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Sends the batches of the queue in order, and drops events that the server refuses.</summary>
    internal sealed class EventSender
    {
        private const string Path = "/v1/track";
        private static readonly TimeSpan LongestBackoff = TimeSpan.FromSeconds(60);
        /// <summary>The server knows a key for 7 days. After that it would store a repeat once more. One day is left for wrong clocks.</summary>
        private static readonly TimeSpan KeyLifetime = TimeSpan.FromDays(6);

        private readonly EventQueue queue;
        private readonly ApiClient api;
        private readonly Logins logins;
        private readonly Clock clock;
        private readonly TimeSpan interval;
        private readonly EventReports reports;
        private Task<bool> sending;
        private bool isSending;
        private DateTime? waitingSince;
        /// <summary>Failures since the last success.</summary>
        private int failures;
        private DateTime retryAt;
        private TimeSpan backoff;
        private bool wasOffline;
        /// <summary>Smaller than a batch if a proxy has a smaller limit.</summary>
        private int maxBatchEvents = EventBatch.MaxEvents;
        private bool isStopped;

        public EventSender(EventQueue queue, ApiClient api, Logins logins, Clock clock, TimeSpan interval, EventReports reports)
        {
            this.queue = queue;
            this.api = api;
            this.logins = logins;
            this.clock = clock;
            this.interval = interval;
            this.reports = reports;
            queue.IsAbsent = player => player != Player.Id && logins.Absent.Contains(player);
        }

        /// <summary>The present player.</summary>
        public Player Player;

        /// <summary>Sends if a batch is full, events have waited long enough, or it is time to try again.</summary>
        public void Tick()
        {
            if (isStopped || queue.Count == 0)
            {
                waitingSince = null;
                return;
            }
            var now = clock.UtcNow;
            if (waitingSince == null || waitingSince > now) waitingSince = now;
            if (isSending) return;
            // The clock may have been set back.
            if (retryAt - now > backoff) retryAt = now + backoff;
            var isRetryDue = now >= retryAt || (wasOffline && !api.IsOffline);
            var isTime = failures > 0 ? isRetryDue : queue.HasFullBatch || now - waitingSince.Value >= interval;
            if (isTime) Run();
        }

        /// <summary>Sends all waiting events now. Returns whether all were sent; the others are tried again later.</summary>
        public async Task<bool> Flush()
        {
            // The current run may end before it sees the newest event.
            if (isSending && !await sending && failures > 0) return false;
            return await Run();
        }

        private Task<bool> Run()
        {
            if (isSending) return sending;
            isSending = true;
            // A placeholder: offline, SendAll fails at once, and OnError may call Flush before it returns.
            sending = Task.FromResult(false);
            sending = SendAll();
            return sending;
        }

        /// <summary>Sends again after a stop.</summary>
        public void Start()
        {
            isStopped = false;
        }

        /// <summary>Stops sending; unsent events stay in the storage.</summary>
        public void Stop()
        {
            isStopped = true;
        }

        private async Task<bool> SendAll()
        {
            waitingSince = null;
            try
            {
                while (queue.First != null && !isStopped)
                {
                    var failure = await SendFirst();
                    if (failure != null)
                    {
                        backoff = Backoff.WaitAfter(++failures, failure.RetryAfter, LongestBackoff);
                        retryAt = clock.UtcNow + backoff;
                        wasOffline = failure.Code == "offline";
                        reports.TellError(failure);
                        return false;
                    }
                    failures = 0;
                }
                return queue.Count == 0;
            }
            finally
            {
                isSending = false;
            }
        }

        /// <summary>Sends the first batch and acts on the answer. Returns null, or the error if the batch stays to be sent again.</summary>
        private async Task<OverworldException> SendFirst()
        {
            // The device may be wrong about its network. If a batch is sent without a network, its
            // outcome is unknown from then on. So another request first shows whether there is a
            // network.
            var isDoubtful = api.IsOffline && queue.First.FirstSentAt == null;
            var failure = await HearServerTime(isDoubtful);
            if (failure != null) return failure;
            var batch = queue.First;
            if (batch == null) return null;
            batch.IsSealed = true;
            var isFirst = batch.FirstSentAt == null;
            queue.MarkSent(batch, api.UtcNow, api.ClockOffset, maxBatchEvents);
            if ((api.UtcNow - batch.FirstSentAt.Value).Duration() > KeyLifetime)
            {
                Finish(batch, 0, DropReason.OutcomeUnknown);
                return null;
            }
            try
            {
                var answer = await api.Send("POST", Path, "received", batch.Body, new KeyValuePair<string, string>("Idempotency-Key", batch.Key), batch.PlayerId);
                var body = answer.ReadObject();
                Finish(batch, (int)body.Whole("received"), DropReason.QuotaExceeded);
                reports.TellWarnings(body.Each("warnings", ReadViolation));
                maxBatchEvents = Math.Min(EventBatch.MaxEvents, maxBatchEvents + 5);
                return null;
            }
            catch (OverworldException error)
            {
                // The server has surely not stored these events, however long they wait for a login.
                if (isFirst && error.Code == "unauthorized") queue.Replace(batch, batch.Events);
                if (error.Code == "quota_exceeded") Finish(batch, 0, DropReason.QuotaExceeded, error.Message);
                else if (error.Code == "bad_request" && error.Body.ContainsKey("error")) TakeRefused(batch, error);
                else if (error.Code == "too_large") TakeTooLarge(batch, error);
                else if (error.Code == "forbidden") Finish(batch, 0, DropReason.Rejected, error.Message);
                else if (error.LacksLogin && batch.PlayerId != Player.Id)
                {
                    logins.Absent.Add(batch.PlayerId);
                    reports.TellError(error);
                }
                else return error;
                return null;
            }
        }

        /// <summary>A batch fixes the times of its events, so the server's time must be known before. The config is the cheapest call that tells it.</summary>
        private async Task<OverworldException> HearServerTime(bool isDoubtful)
        {
            if (api.IsServerTimeKnown && !isDoubtful) return null;
            try
            {
                await api.Send("GET", "/v1/config", "config");
                return null;
            }
            catch (OverworldException error)
            {
                return error;
            }
        }

        /// <summary>Removes the sent events from the queue, and reports those from this index on as dropped.</summary>
        private void Finish(EventBatch batch, int from, DropReason reason, string message = null)
        {
            var dropped = batch.Sent;
            dropped.RemoveRange(0, Math.Min(from, dropped.Count));
            queue.Replace(batch, batch.Unsent);
            if (dropped.Count > 0) reports.TellDropped(reason, dropped, message);
        }

        /// <summary>Halves the size of requests, until a single event is too large.</summary>
        private void TakeTooLarge(EventBatch batch, OverworldException error)
        {
            if (batch.Sent.Count == 1)
            {
                Finish(batch, 0, DropReason.Rejected, error.Message);
                return;
            }
            maxBatchEvents = (batch.Sent.Count + 1) / 2;
            queue.Replace(batch, batch.Events);
        }

        /// <summary>Drops the events that the violations name, and keeps the others under a new key; drops all if none is named.</summary>
        private void TakeRefused(EventBatch batch, OverworldException error)
        {
            var sent = batch.Sent;
            var violations = error.Body.Each("violations", ReadViolation);
            violations.RemoveAll(violation => violation.Index < 0 || violation.Index >= sent.Count);
            if (violations.Count == 0)
            {
                Finish(batch, 0, DropReason.Rejected, error.Message);
                return;
            }
            var rest = new List<string>();
            var rejected = new List<string>();
            var told = new List<EventViolation>();
            for (var i = 0; i < sent.Count; i++)
            {
                var wrong = violations.FindAll(violation => violation.Index == i);
                foreach (var violation in wrong) violation.Index = rejected.Count;
                told.AddRange(wrong);
                (wrong.Count > 0 ? rejected : rest).Add(sent[i]);
            }
            rest.AddRange(batch.Unsent);
            queue.Replace(batch, rest);
            reports.TellDropped(DropReason.Rejected, rejected, error.Message, told);
        }

        private static EventViolation ReadViolation(Dictionary<string, object> from)
        {
            return new EventViolation
            {
                Index = (int)from.Whole("index"),
                EventName = from.Text("event_name"),
                Path = from.Text("path"),
                Message = from.Text("message"),
            };
        }
    }
}
