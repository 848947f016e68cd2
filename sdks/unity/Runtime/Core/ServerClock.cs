using System;

namespace Overworld
{
    /// <summary>The server's time, as far as the `Date` headers of its answers have told it.</summary>
    internal sealed class ServerClock
    {
        // The offset lies between these.
        private TimeSpan least = TimeSpan.MinValue;
        private TimeSpan most = TimeSpan.MaxValue;

        /// <summary>Whether any answer has told it.</summary>
        public bool IsKnown { get { return most < TimeSpan.MaxValue; } }

        /// <summary>To add to this device's clock; zero while that may be right.</summary>
        public TimeSpan Offset
        {
            get
            {
                var mayBeRight = least <= TimeSpan.Zero && most >= TimeSpan.Zero;
                return mayBeRight ? TimeSpan.Zero : TimeSpan.FromTicks((least.Ticks + most.Ticks) / 2);
            }
        }

        /// <param name="date">The header, which is cut to whole seconds; null is passed over.</param>
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
