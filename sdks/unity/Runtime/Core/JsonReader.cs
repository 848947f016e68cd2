using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace OverworldSdk
{
    /// <summary>Reads JSON strictly, and can return the text of each value.</summary>
    internal sealed class JsonReader
    {
        /// <summary>The server's limit for saves, and some levels for the answer around the save.</summary>
        private const int MaxDepth = 1100;

        private readonly string text;
        private int at;
        private int depth;

        public JsonReader(string text)
        {
            this.text = text ?? throw new FormatException("no JSON");
        }

        public object ReadDocument()
        {
            var value = ReadValue();
            SkipSpace();
            if (at < text.Length) throw Wrong("something behind the value");
            return value;
        }

        /// <summary>The members of an object, each value as its exact text.</summary>
        public List<KeyValuePair<string, string>> ReadRawMembers()
        {
            var members = new List<KeyValuePair<string, string>>();
            ReadMembers((name, start, value) =>
                members.Add(new KeyValuePair<string, string>(name, text.Substring(start, at - start))));
            SkipSpace();
            if (at < text.Length) throw Wrong("something behind the object");
            return members;
        }

        private object ReadValue()
        {
            SkipSpace();
            if (at >= text.Length) throw Wrong("it ends too early");
            var c = text[at];
            if (c == '{') return ReadObject();
            if (c == '[') return ReadArray();
            if (c == '"') return ReadString();
            if (c == '-' || IsDigit(c)) return ReadNumber();
            if (TryWord("true")) return true;
            if (TryWord("false")) return false;
            if (TryWord("null")) return null;
            throw Wrong("a value was expected");
        }

        private Dictionary<string, object> ReadObject()
        {
            var result = new Dictionary<string, object>();
            ReadMembers((name, start, value) => result[name] = value);
            return result;
        }

        private void ReadMembers(Action<string, int, object> take)
        {
            SkipSpace();
            Expect('{');
            Enter();
            SkipSpace();
            if (!TryTake('}'))
            {
                do
                {
                    SkipSpace();
                    var name = ReadString();
                    SkipSpace();
                    Expect(':');
                    SkipSpace();
                    var start = at;
                    take(name, start, ReadValue());
                    SkipSpace();
                }
                while (TryTake(','));
                Expect('}');
            }
            depth--;
        }

        private List<object> ReadArray()
        {
            var result = new List<object>();
            Expect('[');
            Enter();
            SkipSpace();
            if (!TryTake(']'))
            {
                do
                {
                    result.Add(ReadValue());
                    SkipSpace();
                }
                while (TryTake(','));
                Expect(']');
            }
            depth--;
            return result;
        }

        private string ReadString()
        {
            Expect('"');
            var start = at;
            while (at < text.Length && text[at] != '"' && text[at] != '\\' && text[at] >= ' ') at++;
            if (TryTake('"')) return text.Substring(start, at - 1 - start);
            var result = new StringBuilder(text, start, at - start, at - start + 16);
            while (true)
            {
                if (at >= text.Length) throw Wrong("a string does not end");
                var c = text[at++];
                if (c == '"') return result.ToString();
                if (c < ' ') throw Wrong("a control character in a string");
                result.Append(c == '\\' ? ReadEscape() : c);
            }
        }

        private char ReadEscape()
        {
            if (at >= text.Length) throw Wrong("a string does not end");
            var c = text[at++];
            switch (c)
            {
                case '"': case '\\': case '/': return c;
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u': return ReadHex();
                default: throw Wrong("an unknown escape");
            }
        }

        private char ReadHex()
        {
            if (at + 4 > text.Length) throw Wrong("a string does not end");
            ushort code;
            var digits = text.Substring(at, 4);
            if (!ushort.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code))
                throw Wrong("an escape without four digits");
            at += 4;
            return (char)code;
        }

        /// <summary>A whole number is a long if it fits, so that 64-bit ids survive; otherwise a double.</summary>
        private object ReadNumber()
        {
            var start = at;
            TryTake('-');
            if (!TryTake('0')) ReadDigits();
            var isWhole = true;
            if (TryTake('.'))
            {
                isWhole = false;
                ReadDigits();
            }
            if (TryTake('e') || TryTake('E'))
            {
                isWhole = false;
                if (!TryTake('+')) TryTake('-');
                ReadDigits();
            }
            var digits = text.Substring(start, at - start);
            long whole;
            if (isWhole && long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole))
                return whole;
            double number;
            double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out number);
            return number;
        }

        private void ReadDigits()
        {
            var start = at;
            while (at < text.Length && IsDigit(text[at])) at++;
            if (at == start) throw Wrong("a digit was expected");
        }

        private void Enter()
        {
            if (++depth > MaxDepth) throw Wrong("it is nested too deeply");
        }

        private void Expect(char c)
        {
            if (!TryTake(c)) throw Wrong("'" + c + "' was expected");
        }

        private bool TryTake(char c)
        {
            if (at >= text.Length || text[at] != c) return false;
            at++;
            return true;
        }

        private bool TryWord(string word)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) return false;
            at += word.Length;
            return true;
        }

        private void SkipSpace()
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) at++;
        }

        private static bool IsDigit(char c)
        {
            return c >= '0' && c <= '9';
        }

        private FormatException Wrong(string what)
        {
            return new FormatException("not JSON: " + what + ", at character " + at);
        }
    }
}
