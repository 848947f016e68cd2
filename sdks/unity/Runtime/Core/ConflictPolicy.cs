using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Two saves that were made from the same save.</summary>
    public sealed class SaveConflict
    {
        /// <summary>The data of the call.</summary>
        public readonly string Ours;
        /// <summary>Time of the call, by the server's clock.</summary>
        public readonly DateTime OursSavedAt;
        /// <summary>The data on the server.</summary>
        public readonly CloudSave Theirs;
        /// <summary>The data that both were made from, if this client has loaded or saved it; else null.</summary>
        public readonly string Base;

        internal SaveConflict(string ours, DateTime oursSavedAt, CloudSave theirs, string @base)
        {
            Ours = ours;
            OursSavedAt = oursSavedAt;
            Theirs = theirs;
            Base = @base;
        }
    }

    /// <summary>The data to save when the server has a version that this client does not know.</summary>
    public sealed class ConflictPolicy
    {
        /// <summary>The data of the call.</summary>
        public static readonly ConflictPolicy Ours = new ConflictPolicy(conflict => Task.FromResult(conflict.Ours));

        /// <summary>The data on the server; nothing is stored.</summary>
        public static readonly ConflictPolicy Theirs = new ConflictPolicy(conflict => Task.FromResult(conflict.Theirs.Json));

        /// <summary>The data that was saved later.</summary>
        public static readonly ConflictPolicy Newest = new ConflictPolicy(conflict =>
            Task.FromResult(conflict.Theirs.UpdatedAt > conflict.OursSavedAt ? conflict.Theirs.Json : conflict.Ours));

        /// <summary>
        /// Theirs, with the top-level fields of ours that changed since the base. If a field changed in
        /// both, ours wins. Without a base the changes are unknown: then it is theirs, with the fields
        /// of ours that theirs lacks.
        /// </summary>
        public static readonly ConflictPolicy PerField = new ConflictPolicy(conflict => Task.FromResult(MergeFields(conflict)));

        private readonly Func<SaveConflict, Task<string>> resolve;

        private ConflictPolicy(Func<SaveConflict, Task<string>> resolve)
        {
            this.resolve = resolve;
        }

        /// <summary>Its name in the storage; null for functions, which cannot be stored.</summary>
        internal string Name
        {
            get { return this == Ours ? "ours" : this == Theirs ? "theirs" : this == Newest ? "newest" : this == PerField ? "per-field" : null; }
        }

        internal static ConflictPolicy Find(string name)
        {
            return new[] { Ours, Theirs, Newest, PerField }.FirstOrDefault(policy => name != null && policy.Name == name);
        }

        /// <summary>A function returns the JSON object to save. Other calls of `Saves` wait for the function, so it must not await them.</summary>
        public static ConflictPolicy Custom(Func<SaveConflict, string> resolve)
        {
            return new ConflictPolicy(conflict => Task.FromResult(resolve(conflict)));
        }

        /// <summary>The same for an asynchronous function, which can ask the player, for example.</summary>
        public static ConflictPolicy Custom(Func<SaveConflict, Task<string>> resolve)
        {
            return new ConflictPolicy(resolve);
        }

        internal async Task<string> Resolve(SaveConflict conflict)
        {
            var json = await resolve(conflict);
            Json.ParseMembers(json);
            return json;
        }

        /// <summary>Works on the texts of the fields, so that no number changes.</summary>
        private static string MergeFields(SaveConflict conflict)
        {
            var before = conflict.Base == null ? null : ReadFields(conflict.Base);
            var ours = ReadFields(conflict.Ours);
            var merged = Json.ParseMembers(conflict.Theirs.Json);
            if (before != null) merged.RemoveAll(field => before.ContainsKey(field.Key) && !ours.ContainsKey(field.Key));
            foreach (var field in ours)
            {
                string value;
                if (before == null && merged.Exists(other => other.Key == field.Key)) continue;
                if (before != null && before.TryGetValue(field.Key, out value) && Json.Compact(value) == Json.Compact(field.Value)) continue;
                var place = merged.FindLastIndex(other => other.Key == field.Key);
                if (place < 0) merged.Add(field);
                else merged[place] = field;
            }
            return Json.WriteMembers(merged);
        }

        private static Dictionary<string, string> ReadFields(string json)
        {
            var fields = new Dictionary<string, string>();
            foreach (var field in Json.ParseMembers(json)) fields[field.Key] = field.Value;
            return fields;
        }
    }
}
