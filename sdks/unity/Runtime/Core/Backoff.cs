using System;

namespace OverworldSdk
{
    internal static class Backoff
    {
        private static readonly Random Random = new Random();

        /// <summary>Half a second, doubled with each failure, minus up to half of it at random, so that players do not all return at once.</summary>
        /// <param name="failures">Failures in a row, 1 or more.</param>
        /// <param name="retryAfter">Shortest wait, if the server asks for one.</param>
        public static TimeSpan WaitAfter(int failures, TimeSpan? retryAfter, TimeSpan longest)
        {
            var seconds = Math.Min(longest.TotalSeconds, 0.5 * Math.Pow(2, Math.Min(failures, 20) - 1));
            var wait = TimeSpan.FromSeconds(seconds * (0.5 + Random.NextDouble() / 2));
            return retryAfter > wait ? retryAfter.Value : wait;
        }
    }
}
