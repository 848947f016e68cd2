using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>Reports texts that the storage below does not take.</summary>
    internal sealed class WatchedStorage : IStorage
    {
        private readonly IStorage storage;
        private readonly Action<Exception> onFailure;

        public WatchedStorage(IStorage storage, Action<Exception> onFailure)
        {
            this.storage = storage;
            this.onFailure = onFailure;
        }

        /// <summary>True if texts survive a restart.</summary>
        public bool IsLasting { get { return !(storage is MemoryStorage); } }

        public string Read(string name)
        {
            return storage.Read(name);
        }

        public void Write(string name, string text)
        {
            Watch(() => storage.Write(name, text));
        }

        public void Append(string name, string text)
        {
            Watch(() => storage.Append(name, text));
        }

        public void Delete(string name)
        {
            storage.Delete(name);
        }

        public List<string> List(string prefix)
        {
            return storage.List(prefix);
        }

        private void Watch(Action write)
        {
            try
            {
                write();
            }
            catch (Exception error)
            {
                onFailure(error);
                throw;
            }
        }
    }
}
