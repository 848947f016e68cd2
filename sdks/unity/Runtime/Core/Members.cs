using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>Reads members of JSON objects of the server. Missing members and those of another type are empty: newer servers may differ.</summary>
    internal static class Members
    {
        public static string Text(this Dictionary<string, object> from, string name)
        {
            return Get(from, name) as string;
        }

        public static long Whole(this Dictionary<string, object> from, string name)
        {
            var value = Get(from, name);
            return value is long ? (long)value : 0;
        }

        public static double Number(this Dictionary<string, object> from, string name)
        {
            var value = Get(from, name);
            return value is double ? (double)value : value is long ? (long)value : 0;
        }

        /// <summary>Null if the member is missing or null.</summary>
        public static double? NumberOrNull(this Dictionary<string, object> from, string name)
        {
            return Get(from, name) == null ? (double?)null : Number(from, name);
        }

        public static bool Flag(this Dictionary<string, object> from, string name)
        {
            var value = Get(from, name);
            return value is bool && (bool)value;
        }

        public static DateTime? Moment(this Dictionary<string, object> from, string name)
        {
            var text = Text(from, name);
            return text == null ? null : Timestamp.Parse(text);
        }

        public static Dictionary<string, object> Object(this Dictionary<string, object> from, string name)
        {
            return Get(from, name) as Dictionary<string, object>;
        }

        /// <summary>The objects of a list, each one converted.</summary>
        public static List<T> Each<T>(this Dictionary<string, object> from, string name, Func<Dictionary<string, object>, T> read)
        {
            var result = new List<T>();
            foreach (var item in Get(from, name) as List<object> ?? new List<object>())
            {
                var members = item as Dictionary<string, object>;
                if (members != null) result.Add(read(members));
            }
            return result;
        }

        public static List<string> Texts(this Dictionary<string, object> from, string name)
        {
            var value = Get(from, name);
            var texts = new List<string>(value as List<string> ?? new List<string>());
            foreach (var item in value as List<object> ?? new List<object>())
            {
                if (item is string) texts.Add((string)item);
            }
            return texts;
        }

        private static object Get(Dictionary<string, object> from, string name)
        {
            object value;
            return from.TryGetValue(name, out value) ? value : null;
        }
    }
}
