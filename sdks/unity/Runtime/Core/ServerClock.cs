using System;

namespace OverworldSdk
{
    /// <summary>The time of the server, by the `Date` headers of its answers.</summary>
    internal sealed class ServerClock
    {
        // The offset lies between these two bounds.
        private TimeSpan least = TimeSpan.MinValue;
        private TimeSpan most = TimeSpan.MaxValue;

        /// <summary>True if an answer has told the time.</summary>
        public bool IsKnown { get { return most < TimeSpan.MaxValue; } }

        /// <summary>Offset to add to this device's clock; zero while that clock may be right.</summary>
        public TimeSpan Offset
        {
            get
            {
                var mayBeRight = least <= TimeSpan.Zero && most >= TimeSpan.Zero;
                return mayBeRight ? TimeSpan.Zero : TimeSpan.FromTicks((least.Ticks + most.Ticks) / 2);
            }
        }

        /// <param name="date">The header, which has whole seconds; null is ignored.</param>
        public void Learn(string date, DateTime sentAt, DateTime receivedAt)
        {
            var time = date == null ? null : Timestamp.Parse(date);
            if (time == null) return;
            var low = time.Value - receivedAt;
            var high = time.Value.AddSeconds(1) - sentAt;
            var isChanged = low > most || high < least;
            least = isChanged || low > least ? low : least;
            most = isChanged || high < most ? high : most;
        }
    }
}
