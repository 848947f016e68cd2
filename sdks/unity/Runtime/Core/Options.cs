using System;

namespace OverworldSdk
{
    /// <summary>Settings of a client.</summary>
    public sealed class OverworldOptions
    {
        /// <summary>Address of the server, such as `https://play.example.com`.</summary>
        public string BaseUrl;
        /// <summary>An API key of the game, from the dashboard.</summary>
        public string ApiKey;
        /// <summary>After the key was rotated: the key of the game's first release. In Unity, the folder of early releases is found by it.</summary>
        public string FirstApiKey;
        /// <summary>Name of the game in the storage of a page, `company/product` without it. Never change this name: the player is kept under it.</summary>
        public string StoreName;
        /// <summary>Id of the player; without one an anonymous id is made and kept.</summary>
        public string PlayerId;
        /// <summary>Keeps waiting events, the anonymous player's id, the session and the last config. Without a storage they are only in memory.</summary>
        public IStorage Storage;
        /// <summary>True if the anonymous player logs in by itself, with a secret that this device makes. Once the game asks for logins, nobody else can then act as this player.</summary>
        public bool DeviceLogin = true;
        /// <summary>Decides conflicts of saves without a policy, also of saves that an earlier start kept.</summary>
        public ConflictPolicy OnSaveConflict;
        public ITransport Transport;
        /// <summary>
        /// True if the player has agreed to be tracked. Otherwise nothing is read or stored on the
        /// device and nothing is sent: `Track` does nothing, and calls throw `tracking_disabled`. Set
        /// `OverworldClient.TrackingEnabled` when the player decides.
        /// </summary>
        public bool TrackingEnabled = true;
        /// <summary>With a development key, gets each mistake once, in words. Never called with a production key.</summary>
        public Action<string> Log;
        /// <summary>Version of the game, a property of `session_start`.</summary>
        public string AppVersion;
        /// <summary>Platform, a property of `session_start`: `web`, `windows`, `macos`, `linux`, `android`, `ios`…</summary>
        public string Platform;
        /// <summary>Longest time that an event waits for more events.</summary>
        public TimeSpan FlushInterval = TimeSpan.FromSeconds(5);
        /// <summary>Largest number of waiting events; beyond it the oldest are dropped.</summary>
        public int MaxQueuedEvents = 5000;
        /// <summary>Time limit of a request. `ExportData` and `ErasePlayer` have two minutes at least.</summary>
        public TimeSpan Timeout = TimeSpan.FromSeconds(10);
        /// <summary>For tests.</summary>
        public Func<DateTime> UtcNow = () => DateTime.UtcNow;
    }
}
