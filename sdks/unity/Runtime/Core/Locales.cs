using System;

namespace OverworldSdk
{
    /// <summary>The language of texts, as requests name it.</summary>
    internal static class Locales
    {
        /// <summary>The part of a query for a locale; empty without one.</summary>
        public static string Query(string locale)
        {
            return string.IsNullOrEmpty(locale) ? "" : "&locale=" + Uri.EscapeDataString(locale);
        }
    }
}
