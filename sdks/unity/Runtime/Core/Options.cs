using System;

namespace Overworld
{
    /// <summary>Settings of a client.</summary>
    public sealed class OverworldOptions
    {
        /// <summary>Address of the server, such as `https://play.example.com`.</summary>
        public string BaseUrl;
        /// <summary>An API key of the game, from the dashboard.</summary>
        public string ApiKey;
        /// <summary>Who plays; without one an anonymous id is made and kept.</summary>
        public string PlayerId;
        /// <summary>Keeps waiting events, the anonymous player's id, the session and the last config. Without one they are in memory alone.</summary>
        public IStorage Storage;
        public ITransport Transport;
        /// <summary>Longest time that an event waits for others.</summary>
        public TimeSpan FlushInterval = TimeSpan.FromSeconds(5);
        /// <summary>Events that wait at most; beyond it the oldest are dropped.</summary>
        public int MaxQueuedEvents = 5000;
        /// <summary>How long one request may take.</summary>
        public TimeSpan Timeout = TimeSpan.FromSeconds(10);
        /// <summary>For tests.</summary>
        public Func<DateTime> UtcNow = () => DateTime.UtcNow;
    }
}
