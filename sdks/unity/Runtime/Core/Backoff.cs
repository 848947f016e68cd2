using System;

namespace Overworld
{
    internal static class Backoff
    {
        private static readonly Random Random = new Random();

        /// <summary>Half a second, doubled with each failure, of which a random half is left out: not all players come back at once.</summary>
        /// <param name="failures">Failures in a row, 1 or more.</param>
        /// <param name="retryAfter">Waited at least, where the server asks for it.</param>
        public static TimeSpan WaitAfter(int failures, TimeSpan? retryAfter, TimeSpan longest)
        {
            var seconds = Math.Min(longest.TotalSeconds, 0.5 * Math.Pow(2, Math.Min(failures, 20) - 1));
            var wait = TimeSpan.FromSeconds(seconds * (0.5 + Random.NextDouble() / 2));
            return retryAfter > wait ? retryAfter.Value : wait;
        }
    }
}
