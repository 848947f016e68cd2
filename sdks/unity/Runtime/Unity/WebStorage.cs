using System.Collections.Generic;
#if UNITY_WEBGL && !UNITY_EDITOR
using System.Runtime.InteropServices;
#endif
using UnityEngine;

namespace Overworld
{
    /// <summary>Files in a browser. They are in memory until they are copied to the browser's storage.</summary>
    internal sealed class WebStorage : IStorage
    {
        private const double SecondsBetweenCopies = 1;

        private readonly IStorage files;
        private bool isChanged;
        private double nextCopyAt;

        public WebStorage(IStorage files)
        {
            this.files = files;
        }

        public string Read(string name)
        {
            return files.Read(name);
        }

        public List<string> List(string prefix)
        {
            return files.List(prefix);
        }

        public void Write(string name, string text)
        {
            files.Write(name, text);
            isChanged = true;
        }

        public void Append(string name, string text)
        {
            files.Append(name, text);
            isChanged = true;
        }

        public void Delete(string name)
        {
            files.Delete(name);
            isChanged = true;
        }

        /// <summary>Copies changed files when it is time. Call it each frame.</summary>
        public void Tick()
        {
            if (Time.realtimeSinceStartupAsDouble >= nextCopyAt) Copy();
        }

        public void Copy()
        {
            if (!isChanged) return;
            isChanged = false;
            nextCopyAt = Time.realtimeSinceStartupAsDouble + SecondsBetweenCopies;
            OverworldCopyFiles();
        }

#if UNITY_WEBGL && !UNITY_EDITOR
        [DllImport("__Internal")]
        private static extern void OverworldCopyFiles();
#else
        private static void OverworldCopyFiles()
        {
        }
#endif
    }
}
