using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace OverworldSdk
{
    /// <summary>Keeps small texts by name, also after a restart. An interrupted write leaves the old text.</summary>
    public interface IStorage
    {
        /// <summary>The text, or null.</summary>
        string Read(string name);
        void Write(string name, string text);
        /// <summary>Adds to the end of a text, which is made if necessary.</summary>
        void Append(string name, string text);
        void Delete(string name);
        /// <summary>Names with this beginning, in ordinal order.</summary>
        List<string> List(string prefix);
    }

    /// <summary>A folder of files. Only one running game may use it.</summary>
    public sealed class FileStorage : IStorage
    {
        private const string Unfinished = ".tmp";
        private static readonly Encoding Utf8 = new UTF8Encoding(false);
        private readonly Func<string> choose;
        private string folder;

        /// <summary>The folder is made when it is first needed.</summary>
        public FileStorage(string folder) : this(() => folder)
        {
        }

        private FileStorage(Func<string> choose)
        {
            this.choose = choose;
        }

        private string Folder
        {
            get
            {
                if (folder == null) Directory.CreateDirectory(folder = choose());
                return folder;
            }
        }

        /// <summary>
        /// The folder of a game, one for development keys and one for production keys. It takes over
        /// the folder of earlier releases, which belonged to an API key. If the first key of the game
        /// was a different one, give that key.
        /// </summary>
        public static FileStorage For(string root, string apiKey)
        {
            return new FileStorage(() => ChooseFolder(root, apiKey));
        }

        private static string ChooseFolder(string root, string apiKey)
        {
            var isDevelopment = apiKey.StartsWith("ow_dev_", StringComparison.Ordinal);
            var folder = Path.Combine(root, "overworld-" + (isDevelopment ? "development" : "production"));
            var earlier = Path.Combine(root, "overworld-" + Ids.Digest(apiKey));
            if (!Directory.Exists(folder) && Directory.Exists(earlier)) Directory.Move(earlier, folder);
            return folder;
        }

        public string Read(string name)
        {
            var path = PathOf(name);
            return File.Exists(path) ? File.ReadAllText(path, Utf8) : null;
        }

        public void Write(string name, string text)
        {
            var path = PathOf(name);
            File.WriteAllText(path + Unfinished, text, Utf8);
            if (File.Exists(path)) File.Replace(path + Unfinished, path, null);
            else File.Move(path + Unfinished, path);
        }

        public void Append(string name, string text)
        {
            var bytes = Utf8.GetBytes(text);
            using (var file = new FileStream(PathOf(name), FileMode.OpenOrCreate))
            {
                var start = file.Seek(0, SeekOrigin.End);
                try
                {
                    file.Write(bytes, 0, bytes.Length);
                    file.Flush();
                }
                catch (IOException)
                {
                    // The next addition must not continue the part that a full disk has taken.
                    file.SetLength(start);
                    throw;
                }
            }
        }

        public void Delete(string name)
        {
            File.Delete(PathOf(name));
        }

        public List<string> List(string prefix)
        {
            var names = new List<string>();
            foreach (var path in Directory.GetFiles(Folder, prefix + "*"))
            {
                var name = Path.GetFileName(path);
                if (!name.EndsWith(Unfinished, StringComparison.Ordinal)) names.Add(name);
            }
            names.Sort(StringComparer.Ordinal);
            return names;
        }

        private string PathOf(string name)
        {
            return Path.Combine(Folder, name);
        }
    }

    /// <summary>Forgets everything at a restart.</summary>
    public sealed class MemoryStorage : IStorage
    {
        private readonly SortedDictionary<string, string> texts = new SortedDictionary<string, string>(StringComparer.Ordinal);

        public string Read(string name)
        {
            string text;
            return texts.TryGetValue(name, out text) ? text : null;
        }

        public void Write(string name, string text)
        {
            texts[name] = text;
        }

        public void Append(string name, string text)
        {
            texts[name] = Read(name) + text;
        }

        public void Delete(string name)
        {
            texts.Remove(name);
        }

        public List<string> List(string prefix)
        {
            var names = new List<string>();
            foreach (var name in texts.Keys)
                if (name.StartsWith(prefix, StringComparison.Ordinal)) names.Add(name);
            return names;
        }
    }
}
