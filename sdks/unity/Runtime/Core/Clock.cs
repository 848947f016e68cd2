using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>
    /// The clock of the client. Waits end in <see cref="Tick"/>, which the engine calls each frame: no
    /// threads, so that it works in WebGL too.
    /// </summary>
    internal sealed class Clock
    {
        private readonly Func<DateTime> readUtc;
        private readonly List<KeyValuePair<DateTime, TaskCompletionSource<bool>>> waits
            = new List<KeyValuePair<DateTime, TaskCompletionSource<bool>>>();
        private DateTime lastTick = DateTime.MinValue;

        public Clock(Func<DateTime> readUtc)
        {
            this.readUtc = readUtc;
        }

        public DateTime UtcNow { get { return readUtc(); } }

        public Task Delay(TimeSpan time)
        {
            var wait = new TaskCompletionSource<bool>();
            waits.Add(new KeyValuePair<DateTime, TaskCompletionSource<bool>>(UtcNow + time, wait));
            return wait.Task;
        }

        public void Tick()
        {
            var now = UtcNow;
            if (now < lastTick) SetBack(lastTick - now);
            lastTick = now;
            if (waits.Count == 0) return;
            var due = waits.FindAll(wait => wait.Key <= now);
            waits.RemoveAll(wait => wait.Key <= now);
            foreach (var wait in due) wait.Value.SetResult(true);
        }

        /// <summary>A wait of a second must not become one of an hour when the device's clock goes back by an hour.</summary>
        private void SetBack(TimeSpan time)
        {
            for (var i = 0; i < waits.Count; i++)
                waits[i] = new KeyValuePair<DateTime, TaskCompletionSource<bool>>(waits[i].Key - time, waits[i].Value);
        }
    }
}
