using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace OverworldSdk
{
    /// <summary>
    /// JSON without reflection, so that it works under IL2CPP and code stripping. Values are
    /// dictionaries, lists, strings, numbers, booleans and null.
    /// </summary>
    public static class Json
    {
        /// <summary>
        /// The value of a JSON text: Dictionary&lt;string, object&gt;, List&lt;object&gt;, string, long, double,
        /// bool or null. Whole numbers that fit a long are exact.
        /// </summary>
        /// <exception cref="FormatException">The text is not JSON.</exception>
        public static object Parse(string text)
        {
            return new JsonReader(text).ReadDocument();
        }

        /// <summary>The members of a JSON object with each value as its text, exactly as it was written.</summary>
        /// <exception cref="FormatException">The text is not a JSON object.</exception>
        public static List<KeyValuePair<string, string>> ParseMembers(string text)
        {
            return new JsonReader(text).ReadRawMembers();
        }

        /// <summary>The object in a text; null if the text is something else, as an answer of a proxy may be.</summary>
        internal static Dictionary<string, object> TryParseObject(string text)
        {
            try
            {
                return Parse(text) as Dictionary<string, object>;
            }
            catch (FormatException)
            {
                return null;
            }
        }

        /// <summary>The JSON text of a value. Anonymous or own classes cannot be written: use a dictionary.</summary>
        /// <exception cref="ArgumentException">JSON cannot represent the value.</exception>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(text, value, 0);
            return text.ToString();
        }

        /// <summary>A text without the spaces between values, to compare two of them.</summary>
        internal static string Compact(string json)
        {
            var text = new StringBuilder(json.Length);
            var inString = false;
            for (var i = 0; i < json.Length; i++)
            {
                var c = json[i];
                if (!inString && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
                text.Append(c);
                if (c == '\\' && inString && i + 1 < json.Length) text.Append(json[++i]);
                else if (c == '"') inString = !inString;
            }
            return text.ToString();
        }

        internal static string WriteMembers(IEnumerable<KeyValuePair<string, string>> members)
        {
            var text = new StringBuilder("{");
            foreach (var member in members)
            {
                if (text.Length > 1) text.Append(',');
                WriteString(text, member.Key);
                text.Append(':').Append(member.Value);
            }
            return text.Append('}').ToString();
        }

        private static readonly Dictionary<Type, Func<object, object>> forms = new Dictionary<Type, Func<object, object>>();

        /// <summary>Says how values of a type are written: as a dictionary or a text, for example. Enums are written as their names.</summary>
        public static void SetForm<T>(Func<T, object> form)
        {
            forms[typeof(T)] = value => form((T)value);
        }

        private static void Write(StringBuilder text, object value, int depth)
        {
            if (depth > 1000) throw new ArgumentException("A value is nested too deeply, or in itself.");
            if (value == null) text.Append("null");
            else if (value is string) WriteString(text, (string)value);
            else if (value is bool) text.Append((bool)value ? "true" : "false");
            else if (value is double) WriteDouble(text, (double)value, ((double)value).ToString("R", CultureInfo.InvariantCulture));
            else if (value is float) WriteDouble(text, (float)value, ((float)value).ToString("R", CultureInfo.InvariantCulture));
            else if (IsWhole(value) || value is decimal) text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            else if (value is DateTime) WriteString(text, Timestamp.Format(((DateTime)value).ToUniversalTime()));
            else if (value is Enum) WriteString(text, value.ToString());
            else if (forms.ContainsKey(value.GetType())) Write(text, forms[value.GetType()](value), depth + 1);
            else if (value is IDictionary) WriteObject(text, (IDictionary)value, depth);
            else if (value is IEnumerable) WriteArray(text, (IEnumerable)value, depth);
            else throw new ArgumentException("A value of type " + value.GetType().Name + " has no form in JSON.");
        }

        private static bool IsWhole(object value)
        {
            return value is int || value is long || value is uint || value is ulong
                || value is short || value is ushort || value is byte || value is sbyte;
        }

        private static void WriteDouble(StringBuilder text, double value, string written)
        {
            if (double.IsNaN(value) || double.IsInfinity(value)) throw new ArgumentException("JSON has no form for " + written + ".");
            text.Append(written);
        }

        private static void WriteObject(StringBuilder text, IDictionary members, int depth)
        {
            text.Append('{');
            var first = true;
            foreach (DictionaryEntry member in members)
            {
                if (!first) text.Append(',');
                first = false;
                var name = member.Key as string;
                if (name == null) throw new ArgumentException("The keys of a dictionary must be strings.");
                WriteString(text, name);
                text.Append(':');
                Write(text, member.Value, depth + 1);
            }
            text.Append('}');
        }

        private static void WriteArray(StringBuilder text, IEnumerable items, int depth)
        {
            text.Append('[');
            var first = true;
            foreach (var item in items)
            {
                if (!first) text.Append(',');
                first = false;
                Write(text, item, depth + 1);
            }
            text.Append(']');
        }

        private static void WriteString(StringBuilder text, string value)
        {
            text.Append('"');
            for (var i = 0; i < value.Length; i++)
            {
                var c = value[i];
                if (c == '"' || c == '\\') text.Append('\\').Append(c);
                else if (c < ' ' || IsLoneSurrogate(value, i)) text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else text.Append(c);
            }
            text.Append('"');
        }

        /// <summary>Half a surrogate pair: UTF-8 cannot represent it, but an escape can.</summary>
        private static bool IsLoneSurrogate(string value, int i)
        {
            if (char.IsHighSurrogate(value[i])) return i + 1 >= value.Length || !char.IsLowSurrogate(value[i + 1]);
            return char.IsLowSurrogate(value[i]) && (i == 0 || !char.IsHighSurrogate(value[i - 1]));
        }
    }
}
