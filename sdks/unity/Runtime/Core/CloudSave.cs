using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>A save as it is on the server.</summary>
    public class CloudSave
    {
        /// <summary>The game state: exactly the text that was stored.</summary>
        public readonly string Json;
        /// <summary>1, 2, 3…</summary>
        public readonly long Version;
        public readonly DateTime UpdatedAt;

        /// <summary>True if the save waits on this device for the network. Then `Version` is the version before it.</summary>
        public bool IsKept { get; internal set; }

        internal CloudSave(string json, long version, DateTime updatedAt)
        {
            Json = json;
            Version = version;
            UpdatedAt = updatedAt;
        }

        /// <summary>The game state as a dictionary.</summary>
        public Dictionary<string, object> Data { get { return (Dictionary<string, object>)OverworldSdk.Json.Parse(Json); } }
    }

    /// <summary>The save on the server after a call.</summary>
    public sealed class SaveResult : CloudSave
    {
        /// <summary>True if there was a conflict, so that the state may differ from that of the call.</summary>
        public readonly bool WasConflict;

        internal SaveResult(string json, long version, DateTime updatedAt, bool wasConflict) : base(json, version, updatedAt)
        {
            WasConflict = wasConflict;
        }
    }

    /// <summary>A slot that has a save.</summary>
    public sealed class SaveSlot
    {
        /// <summary>Its name; `main` is the slot of calls that name no slot.</summary>
        public string Slot;
        public long Version;
        public DateTime UpdatedAt;
        public long SizeBytes;

        internal static SaveSlot Read(Dictionary<string, object> from)
        {
            return new SaveSlot
            {
                Slot = from.Text("slot"),
                Version = from.Whole("version"),
                UpdatedAt = from.Moment("updated_at") ?? DateTime.MinValue,
                SizeBytes = from.Whole("size_bytes"),
            };
        }
    }
}
