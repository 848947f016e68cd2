using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>A small object that survives restarts if there is a disk.</summary>
    internal sealed class StateFile
    {
        private readonly IStorage storage;
        private readonly string name;

        public StateFile(IStorage storage, string name)
        {
            this.storage = storage;
            this.name = name;
        }

        /// <summary>Its members; none if it was never written or cannot be read.</summary>
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

        /// <summary>
        /// On a full or missing disk the state is lost at a restart, and nothing else fails. Returns whether
        /// the disk did it.
        /// </summary>
        internal static bool Try(Action action)
        {
            try
            {
                action();
                return true;
            }
            catch (Exception)
            {
                return false;
            }
        }
    }
}
