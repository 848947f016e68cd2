using System;
using System.Globalization;

namespace OverworldSdk
{
    internal static class Timestamp
    {
        private const string Form = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";

        public static string Format(DateTime utc)
        {
            return utc.ToString(Form, CultureInfo.InvariantCulture);
        }

        /// <summary>A time as the API writes it; null if the text is no such time.</summary>
        public static DateTime? Parse(string text)
        {
            DateTime time;
            const DateTimeStyles styles = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
            return DateTime.TryParse(text, CultureInfo.InvariantCulture, styles, out time) ? time : (DateTime?)null;
        }
    }
}
