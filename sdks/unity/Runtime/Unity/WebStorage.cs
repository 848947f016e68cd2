using System;
using System.Collections.Generic;
using System.IO;
#if UNITY_WEBGL && !UNITY_EDITOR
using System.Runtime.InteropServices;
#endif

namespace OverworldSdk
{
    /// <summary>The localStorage of the page, under a name of the game. A text is stored when `Write` returns.</summary>
    internal sealed class WebStorage : IStorage
    {
        private readonly string prefix;
        private readonly IStorage earlier;
        private bool isTakenOver;

        /// <param name="prefix">The beginning of all keys of this game.</param>
        /// <param name="earlier">The files of earlier releases, which depended on the address of the page.</param>
        public WebStorage(string prefix, IStorage earlier)
        {
            this.prefix = prefix;
            this.earlier = earlier;
        }

        public string Read(string name)
        {
            TakeOver();
            return OverworldStoreRead(prefix + name);
        }

        public List<string> List(string beginning)
        {
            TakeOver();
            return ListOwn(beginning);
        }

        public void Write(string name, string text)
        {
            TakeOver();
            if (OverworldStoreWrite(prefix + name, text) == 0) throw new IOException("The browser's storage is full or blocked");
        }

        public void Append(string name, string text)
        {
            Write(name, Read(name) + text);
        }

        public void Delete(string name)
        {
            TakeOver();
            OverworldStoreDelete(prefix + name);
        }

        private List<string> ListOwn(string beginning)
        {
            var names = new List<string>();
            foreach (var key in OverworldStoreList(prefix + beginning).Split(new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries))
                names.Add(key.Substring(prefix.Length));
            names.Sort(StringComparer.Ordinal);
            return names;
        }

        /// <summary>At the first start with this storage, copies the files of an earlier release: the player stays.</summary>
        private void TakeOver()
        {
            if (isTakenOver) return;
            isTakenOver = true;
            if (ListOwn("").Count > 0) return;
            foreach (var name in earlier.List("")) Write(name, earlier.Read(name));
        }

#if UNITY_WEBGL && !UNITY_EDITOR
        [DllImport("__Internal")]
        private static extern string OverworldStoreRead(string key);

        [DllImport("__Internal")]
        private static extern int OverworldStoreWrite(string key, string text);

        [DllImport("__Internal")]
        private static extern void OverworldStoreDelete(string key);

        [DllImport("__Internal")]
        private static extern string OverworldStoreList(string prefix);
#else
        private static readonly Dictionary<string, string> Page = new Dictionary<string, string>();

        private static string OverworldStoreRead(string key)
        {
            string text;
            return Page.TryGetValue(key, out text) ? text : null;
        }

        private static int OverworldStoreWrite(string key, string text)
        {
            Page[key] = text;
            return 1;
        }

        private static void OverworldStoreDelete(string key)
        {
            Page.Remove(key);
        }

        private static string OverworldStoreList(string prefix)
        {
            return string.Join("\n", new List<string>(Page.Keys).FindAll(key => key.StartsWith(prefix, StringComparison.Ordinal)).ToArray());
        }
#endif
    }
}
