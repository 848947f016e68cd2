using System;
using System.Collections.Generic;

namespace Overworld
{
    /// <summary>A small object that is kept over restarts, as long as there is a disk.</summary>
    internal sealed class StateFile
    {
        private readonly IStorage storage;
        private readonly string name;

        public StateFile(IStorage storage, string name)
        {
            this.storage = storage;
            this.name = name;
        }

        /// <summary>Its members; none when it was never written or cannot be read.</summary>
        public Dictionary<string, object> Read()
        {
            string text = null;
            Try(() => text = storage.Read(name));
            return Json.TryParseObject(text ?? "{}") ?? new Dictionary<string, object>();
        }

        public void Write(Dictionary<string, object> members)
        {
            Try(() => storage.Write(name, Json.Write(members)));
        }

        public void Delete()
        {
            Try(() => storage.Delete(name));
        }

        /// <summary>A full or missing disk costs the memory over restarts, and nothing else.</summary>
        internal static void Try(Action action)
        {
            try
            {
                action();
            }
            catch (Exception)
            {
            }
        }
    }
}
