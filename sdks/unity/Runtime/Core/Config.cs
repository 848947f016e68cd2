using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>The values of the remote config for the player.</summary>
    public sealed class RemoteConfig
    {
        public Dictionary<string, object> Values = new Dictionary<string, object>();
        public long Version;
        /// <summary>True if the server was not reached: then these are the last values that it gave.</summary>
        public bool IsStale;
    }

    /// <summary>The remote config. The dashboard sets it.</summary>
    public sealed class Config
    {
        private static readonly TimeSpan MaxAge = TimeSpan.FromMinutes(1);

        private readonly ApiClient api;
        private readonly Clock clock;
        private readonly StateFile file;
        private readonly Player present;
        private readonly Hints hints;
        private Known known;
        private DateTime askedAt = DateTime.MinValue;
        private Task<RemoteConfig> asking;
        private string askingFor;

        internal Config(ApiClient api, Clock clock, StateFile file, Player present, Hints hints)
        {
            this.api = api;
            this.clock = clock;
            this.file = file;
            this.present = present;
            this.hints = hints;
        }

        /// <summary>Reads the values of an earlier start.</summary>
        internal void Open()
        {
            var kept = file.Read();
            if (kept.Text("answer") == null) return;
            known = new Known(kept.Text("player_id"), kept.Text("etag"), kept.Text("answer"));
        }

        /// <summary>The last answer of the server.</summary>
        private sealed class Known
        {
            public readonly string PlayerId;
            public readonly string Etag;
            public readonly string Answer;
            public readonly Dictionary<string, object> Values;
            private readonly long version;

            public Known(string playerId, string etag, string answer)
            {
                PlayerId = playerId;
                Etag = etag;
                Answer = answer;
                var body = Json.TryParseObject(answer) ?? new Dictionary<string, object>();
                Values = body.Object("config") ?? new Dictionary<string, object>();
                version = body.Whole("version");
            }

            public RemoteConfig Describe(bool isStale)
            {
                return new RemoteConfig { Values = Values, Version = version, IsStale = isStale };
            }
        }

        /// <summary>
        /// The values for the player. The server is asked at most once a minute, or once in `maxAge`,
        /// and its answer has no body while nothing has changed. If the server is not reached, it gives
        /// the server's last values, even those of an earlier start.
        /// </summary>
        /// <exception cref="OverworldException">The server is not reached and has never given values.</exception>
        public async Task<RemoteConfig> Load(TimeSpan? maxAge = null)
        {
            api.RequireEnabled();
            var player = await present.Get();
            // The clock may have been set back.
            var age = (clock.UtcNow - askedAt).Duration();
            var isFresh = age < (maxAge ?? MaxAge) && IsKnown(player);
            if (isFresh) return known.Describe(false);
            if (asking != null && !asking.IsCompleted && askingFor == player) return await asking;
            askingFor = player;
            asking = Ask(player);
            return await asking;
        }

        /// <summary>One value of the last load. If there is no value of this type, it gives the fallback. Numbers fit every numeric type.</summary>
        public T Get<T>(string key, T fallback)
        {
            object value;
            if (known == null || !known.Values.TryGetValue(key, out value)) return fallback;
            if (value is T) return (T)value;
            if (value == null && default(T) == null) return fallback;
            if ((value is long || value is double) && typeof(T).IsPrimitive && typeof(T) != typeof(bool))
            {
                try
                {
                    return (T)Convert.ChangeType(value, typeof(T), CultureInfo.InvariantCulture);
                }
                catch (OverflowException)
                {
                }
            }
            hints.Say("The config value " + key + " is " + Json.Write(value) + ", no " + typeof(T).Name + ": the fallback is used");
            return fallback;
        }

        private async Task<RemoteConfig> Ask(string player)
        {
            var last = IsKnown(player) ? known : null;
            var hasEtag = last != null && last.Etag != null;
            var condition = hasEtag ? new KeyValuePair<string, string>("If-None-Match", last.Etag) : (KeyValuePair<string, string>?)null;
            try
            {
                var answer = await api.Call("GET", "/v1/config?player_id=" + Uri.EscapeDataString(player), "config", null, condition, player: player);
                var next = answer.Status == 304 ? last : new Known(player, answer.GetHeader("ETag"), answer.Body);
                // Otherwise the player has changed in the meantime.
                if (player == present.Id) Keep(next);
                return next.Describe(false);
            }
            catch (OverworldException)
            {
                if (last == null) throw;
                return last.Describe(true);
            }
        }

        private bool IsKnown(string player)
        {
            return known != null && known.PlayerId == player;
        }

        private void Keep(Known next)
        {
            askedAt = clock.UtcNow;
            if (next == known) return;
            known = next;
            file.Write(new Dictionary<string, object> { { "player_id", known.PlayerId }, { "etag", known.Etag }, { "answer", known.Answer } });
        }
    }
}
