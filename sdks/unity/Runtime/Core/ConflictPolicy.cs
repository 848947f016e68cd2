using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Overworld
{
    /// <summary>Two saves that were made from the same one.</summary>
    public sealed class SaveConflict
    {
        /// <summary>What was to be saved.</summary>
        public readonly string Ours;
        /// <summary>When it was, by the server's clock.</summary>
        public readonly DateTime OursSavedAt;
        /// <summary>What is on the server.</summary>
        public readonly CloudSave Theirs;
        /// <summary>What both were made from, as far as this client has loaded or saved it; else null.</summary>
        public readonly string Base;

        internal SaveConflict(string ours, DateTime oursSavedAt, CloudSave theirs, string @base)
        {
            Ours = ours;
            OursSavedAt = oursSavedAt;
            Theirs = theirs;
            Base = @base;
        }
    }

    /// <summary>What to save when the server has a version that is not known here.</summary>
    public sealed class ConflictPolicy
    {
        /// <summary>What was to be saved.</summary>
        public static readonly ConflictPolicy Ours = new ConflictPolicy(conflict => Task.FromResult(conflict.Ours));

        /// <summary>What is on the server; nothing is stored.</summary>
        public static readonly ConflictPolicy Theirs = new ConflictPolicy(conflict => Task.FromResult(conflict.Theirs.Json));

        /// <summary>Whichever was saved later.</summary>
        public static readonly ConflictPolicy Newest = new ConflictPolicy(conflict =>
            Task.FromResult(conflict.Theirs.UpdatedAt > conflict.OursSavedAt ? conflict.Theirs.Json : conflict.Ours));

        /// <summary>
        /// Theirs, with those top-level fields of ours that have changed since the base. A field that has
        /// changed in both is ours.
        /// </summary>
        public static readonly ConflictPolicy PerField = new ConflictPolicy(conflict => Task.FromResult(MergeFields(conflict)));

        private readonly Func<SaveConflict, Task<string>> resolve;

        private ConflictPolicy(Func<SaveConflict, Task<string>> resolve)
        {
            this.resolve = resolve;
        }

        /// <summary>A function decides: what it returns, a JSON object, is saved. Other calls of `Saves` wait for it: it must await none.</summary>
        public static ConflictPolicy Custom(Func<SaveConflict, string> resolve)
        {
            return new ConflictPolicy(conflict => Task.FromResult(resolve(conflict)));
        }

        /// <summary>The same for a function that asks the player, for example.</summary>
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

        /// <summary>Works on the texts of the fields, so that no number changes on the way.</summary>
        private static string MergeFields(SaveConflict conflict)
        {
            var before = ReadFields(conflict.Base ?? "{}");
            var ours = ReadFields(conflict.Ours);
            var merged = Json.ParseMembers(conflict.Theirs.Json);
            merged.RemoveAll(field => before.ContainsKey(field.Key) && !ours.ContainsKey(field.Key));
            foreach (var field in ours)
            {
                string value;
                if (before.TryGetValue(field.Key, out value) && Json.Compact(value) == Json.Compact(field.Value)) continue;
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
