using System;
using System.Collections.Generic;
using System.Text;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>
    /// The client of a game, for one player. Use it from one thread, in Unity the main thread. Call
    /// <see cref="Tick"/> each frame.
    /// </summary>
    public sealed class OverworldClient
    {
        private const int MaxEventBytes = 50000;

        private readonly OverworldOptions options;
        private readonly Clock clock;
        private readonly ApiClient api;
        private readonly EventReports reports;
        private readonly EventQueue queue;
        private readonly EventSender sender;
        private readonly Session session;
        private readonly Turns turns = new Turns();
        private readonly KeptCalls kept;
        private readonly Logins logins;
        private readonly Player player;
        /// <summary>True if the parts have read the texts that earlier starts left on the device.</summary>
        private bool isOpen;
        private bool isClosed;

        /// <exception cref="ArgumentException">The address or the key cannot be right.</exception>
        public OverworldClient(OverworldOptions options)
        {
            var mistake = ConnectionCheck.FindMistake(options.BaseUrl, options.ApiKey);
            if (mistake != null) throw new ArgumentException(mistake);
            if (options.Transport == null) throw new ArgumentException("Transport is missing");
            options.BaseUrl = options.BaseUrl.TrimEnd('/');
            this.options = options;
            clock = new Clock(options.UtcNow);
            var hints = new Hints(options.ApiKey, options.Log);
            reports = new EventReports(hints);
            var storage = new WatchedStorage(options.Storage ?? new MemoryStorage(), reports.TellStorageFailure);
            api = new ApiClient(options, clock, hints);
            queue = new EventQueue(storage);
            logins = new Logins(api, clock, reports, storage, options.DeviceLogin);
            sender = new EventSender(queue, api, logins, clock, options.FlushInterval, reports);
            session = new Session(new StateFile(storage, "session"), DescribeStart(options), Enqueue);
            kept = new KeptCalls(storage, api, logins, clock, reports);
            api.Logins = logins;
            player = new Player(options.PlayerId, logins);
            kept.Player = player;
            sender.Player = player;
            Tags = new Tags(api, player, turns);
            Saves = new Saves(api, player, kept, options.OnSaveConflict, options.AppVersion);
            Achievements = new Achievements(api, player, kept);
            Leaderboards = new Leaderboards(api, player, kept);
            Stats = new Stats(api, player, kept);
            Messages = new Messages(api, clock, new StateFile(storage, "messages"), player, reports);
            Config = new Config(api, clock, new StateFile(storage, "config"), player, hints);
            Account = new Account(api, player, logins, (id, run) => kept.Alone(async () =>
            {
                // A call or an event that came after the erasure would make the player again.
                await sender.Flush();
                await run();
                session.Forget();
                queue.Forget(id);
                kept.Forget(id);
                new StateFile(storage, "config").Delete();
                new StateFile(storage, "messages").Delete();
                return true;
            }));
            TrackingEnabled = options.TrackingEnabled;
        }

        /// <summary>
        /// True if the player has agreed to be tracked. Turning it on begins a session. Turning it off forgets the session and
        /// sends nothing more; the anonymous player, and events and calls that wait, stay on the device.
        /// </summary>
        public bool TrackingEnabled
        {
            get { return api.IsEnabled; }
            set
            {
                if (value == api.IsEnabled || isClosed) return;
                api.IsEnabled = value;
                if (value) Start();
                else Stop();
            }
        }

        /// <summary>Id of the player; empty while an anonymous player has not agreed to be tracked.</summary>
        public string PlayerId { get { return player.Id; } }

        public Tags Tags { get; private set; }
        public Saves Saves { get; private set; }
        public Achievements Achievements { get; private set; }
        public Leaderboards Leaderboards { get; private set; }
        public Stats Stats { get; private set; }
        public Messages Messages { get; private set; }
        public Config Config { get; private set; }
        public Account Account { get; private set; }

        /// <summary>Called with events that were tracked and will not be stored.</summary>
        public event Action<DroppedEvents> OnDrop { add { reports.OnDrop += value; } remove { reports.OnDrop -= value; } }

        /// <summary>Called with warnings about stored events that break their schema.</summary>
        public event Action<IList<EventViolation>> OnWarning { add { reports.OnWarning += value; } remove { reports.OnWarning -= value; } }

        /// <summary>Called when events could not be sent, which are tried again, and once when the storage is full or blocked (`store_failed`).</summary>
        public event Action<OverworldException> OnError { add { reports.OnError += value; } remove { reports.OnError -= value; } }

        /// <summary>
        /// Called with the id of the next start's player when another client on the same storage, such as another
        /// tab, has logged in as another player or has logged out. This client stays its own player. It is told with
        /// its next call.
        /// </summary>
        public event Action<string> OnOtherPlayer { add { reports.OnOtherPlayer += value; } remove { reports.OnOtherPlayer -= value; } }

        /// <summary>
        /// Called with unread messages of the studio that no earlier list had. While the game listens, the client looks for
        /// messages at the start and every five minutes.
        /// </summary>
        public event Action<IList<PlayerMessage>> OnMessages { add { reports.OnMessages += value; } remove { reports.OnMessages -= value; } }

        /// <summary>Number of events that wait or are being sent.</summary>
        public int QueuedEvents { get { return queue.Count; } }

        /// <summary>Number of scores, changes of statistics, unlocks and saves that wait for the network.</summary>
        public int QueuedCalls { get { return kept.Count; } }

        /// <summary>Number of events that were tracked here and will not be stored; `OnDrop` gets each of them.</summary>
        public long DroppedEvents { get { return reports.DroppedCount; } }

        /// <summary>Sets the player from now on, for example after a login. Earlier events keep their player. The id is not stored for the next start.</summary>
        public void SetPlayerId(string playerId)
        {
            player.Given = string.IsNullOrEmpty(playerId) ? null : playerId;
        }

        /// <summary>
        /// Tracks an event of the player. Never throws and never waits: the event is kept, also over a
        /// restart, and sent with others. An event that cannot be sent is reported by <see
        /// cref="OnDrop"/>.
        /// </summary>
        /// <param name="eventName">Such as `level_complete`, up to 255 characters.</param>
        /// <param name="properties">Strings, numbers, booleans, lists and dictionaries, as they are now; up to 32 KB as JSON.</param>
        public void Track(string eventName, IDictionary<string, object> properties = null)
        {
            if (isClosed)
            {
                reports.TellDropped(DropReason.Closed, new string[0], count: 1);
                return;
            }
            if (!TrackingEnabled) return;
            session.Touch(clock.UtcNow);
            Enqueue(eventName, session.Id, clock.UtcNow, properties);
        }

        /// <summary>Merges properties into those of the player: each property replaces the stored one. Returns all properties of the player.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<Dictionary<string, object>> Identify(IDictionary<string, object> properties)
        {
            var given = Json.Write(properties);
            var id = await player.Get();
            var body = "{\"player_id\":" + Json.Write(id) + ",\"properties\":" + given + "}";
            var answer = await turns.Take(() => api.Call("POST", "/v1/identify", "properties", body, player: id));
            return answer.ReadObject().Object("properties");
        }

        /// <summary>Sends all waiting calls and events. Returns whether all were sent; the others are tried again later.</summary>
        public async Task<bool> Flush()
        {
            if (!TrackingEnabled) return false;
            var areCallsSent = kept.Count == 0 || await kept.Flush();
            return await sender.Flush() && areCallsSent;
        }

        /// <summary>Ends the session and sends events for at most `timeout` (5 seconds by default). Unsent events stay in the storage for the next start.</summary>
        public async Task Close(TimeSpan? timeout = null)
        {
            if (isClosed) return;
            if (TrackingEnabled) session.End(clock.UtcNow);
            isClosed = true;
            if (!TrackingEnabled) return;
            await Task.WhenAny(sender.Flush(), clock.Delay(timeout ?? TimeSpan.FromSeconds(5)));
            sender.Stop();
        }

        /// <summary>Lets time pass: call it each frame.</summary>
        public void Tick()
        {
            clock.Tick();
            reports.Tick();
            if (!TrackingEnabled) return;
            sender.Tick();
            if (isClosed) return;
            kept.Tick();
            Messages.Tick();
        }

        private void Start()
        {
            if (!isOpen)
            {
                isOpen = true;
                logins.Open();
                kept.Open();
                Config.Open();
                Messages.Open();
                queue.Open();
                session.Open();
            }
            sender.Start();
            session.Touch(clock.UtcNow);
        }

        private void Stop()
        {
            sender.Stop();
            session.Forget();
        }

        private void Enqueue(string eventName, string sessionId, DateTime at, IDictionary<string, object> properties)
        {
            string json;
            try
            {
                json = QueuedEvent.Write(eventName, sessionId, PlayerId, properties, at + api.ClockOffset);
            }
            catch (Exception)
            {
                reports.TellDropped(DropReason.Unsendable, new string[0], count: 1);
                return;
            }
            if (Encoding.UTF8.GetByteCount(json) > MaxEventBytes)
            {
                reports.TellDropped(DropReason.Unsendable, new[] { json });
                return;
            }
            queue.Add(json, PlayerId, api.IsServerTimeKnown);
            while (queue.Count > options.MaxQueuedEvents)
            {
                var oldest = queue.DropOldest();
                if (oldest == null) return;
                reports.TellDropped(DropReason.QueueFull, new[] { oldest });
            }
        }

        private static Dictionary<string, object> DescribeStart(OverworldOptions options)
        {
            var properties = new Dictionary<string, object>();
            if (!string.IsNullOrEmpty(options.Platform)) properties["platform"] = options.Platform;
            if (!string.IsNullOrEmpty(options.AppVersion)) properties["app_version"] = options.AppVersion;
            return properties;
        }
    }
}
