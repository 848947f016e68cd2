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
        /// <summary>Null before the first use.</summary>
        private bool? usesFiles;

        /// <param name="prefix">The beginning of all keys of this game.</param>
        /// <param name="earlier">The files of earlier releases, which depended on the address of the page.</param>
        public WebStorage(string prefix, IStorage earlier)
        {
            this.prefix = prefix;
            this.earlier = earlier;
        }

        public string Read(string name)
        {
            return UsesFiles() ? earlier.Read(name) : OverworldStoreRead(prefix + name);
        }

        public List<string> List(string beginning)
        {
            return UsesFiles() ? earlier.List(beginning) : ListOwn(beginning);
        }

        public void Write(string name, string text)
        {
            if (UsesFiles()) Change(() => earlier.Write(name, text));
            else if (OverworldStoreWrite(prefix + name, text) == 0) throw new IOException("The browser's storage is full or blocked");
        }

        public void Append(string name, string text)
        {
            if (UsesFiles()) Change(() => earlier.Append(name, text));
            else Write(name, Read(name) + text);
        }

        public void Delete(string name)
        {
            if (UsesFiles()) Change(() => earlier.Delete(name));
            else OverworldStoreDelete(prefix + name);
        }

        /// <summary>The files of a page are in memory until they are copied to the browser's storage.</summary>
        private static void Change(Action change)
        {
            change();
            OverworldCopyFiles();
        }

        private List<string> ListOwn(string beginning)
        {
            var names = new List<string>();
            foreach (var key in OverworldStoreList(prefix + beginning).Split(new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries))
                names.Add(key.Substring(prefix.Length));
            names.Sort(StringComparer.Ordinal);
            return names;
        }

        /// <summary>
        /// True while the page has no room for the files of an earlier release. They stay in use, and the next start tries
        /// again to copy them.
        /// </summary>
        private bool UsesFiles()
        {
            if (usesFiles == null) usesFiles = ListOwn("").Count == 0 && !CopyFiles();
            return usesFiles.Value;
        }

        /// <summary>
        /// Copies the files of an earlier release, so the player stays. Copies all of them or none. Without a list of the
        /// files there is nothing to go on with.
        /// </summary>
        private bool CopyFiles()
        {
            var names = new List<string>();
            StateFile.Try(() => names = earlier.List(""));
            var areCopied = false;
            StateFile.Try(() => areCopied = names.TrueForAll(name => OverworldStoreWrite(prefix + name, earlier.Read(name)) != 0));
            if (areCopied) return true;
            foreach (var name in names) OverworldStoreDelete(prefix + name);
            return false;
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

        [DllImport("__Internal")]
        private static extern void OverworldCopyFiles();
#else
        /// <summary>The most characters of a text for which the page has room.</summary>
        internal static int Room = int.MaxValue;
        /// <summary>How often the files were copied to the browser's storage.</summary>
        internal static int Copies;
        private static readonly Dictionary<string, string> Page = new Dictionary<string, string>();

        private static string OverworldStoreRead(string key)
        {
            string text;
            return Page.TryGetValue(key, out text) ? text : null;
        }

        private static int OverworldStoreWrite(string key, string text)
        {
            if (text.Length > Room) return 0;
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

        private static void OverworldCopyFiles()
        {
            Copies++;
        }
#endif
    }
}
