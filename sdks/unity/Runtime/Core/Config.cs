using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace Overworld
{
    /// <summary>The values of the remote config for the player.</summary>
    public sealed class RemoteConfig
    {
        public Dictionary<string, object> Values = new Dictionary<string, object>();
        public long Version;
        /// <summary>Whether the server could not be asked, and these are the values it gave last.</summary>
        public bool IsStale;
    }

    /// <summary>The remote config, which is set in the dashboard.</summary>
    public sealed class Config
    {
        private static readonly TimeSpan MaxAge = TimeSpan.FromMinutes(1);

        private readonly ApiClient api;
        private readonly Clock clock;
        private readonly StateFile file;
        private readonly Func<string> playerId;
        private string known;
        private string knownPlayer;
        private string etag;
        private DateTime askedAt = DateTime.MinValue;
        private Task<RemoteConfig> asking;
        private Dictionary<string, object> values = new Dictionary<string, object>();

        internal Config(ApiClient api, Clock clock, StateFile file, Func<string> playerId)
        {
            this.api = api;
            this.clock = clock;
            this.file = file;
            this.playerId = playerId;
            var kept = file.Read();
            if (kept.Text("answer") == null) return;
            Take(kept.Text("answer"), kept.Text("player_id"), kept.Text("etag"));
        }

        /// <summary>
        /// The values for the player. They are asked for at most once a minute, unless `maxAge` says else,
        /// and come without a body while nothing has changed. When the server cannot be asked these are
        /// the last ones it gave, also those of an earlier start.
        /// </summary>
        /// <exception cref="OverworldException">The server cannot be asked and has never been.</exception>
        public Task<RemoteConfig> Load(TimeSpan? maxAge = null)
        {
            var isFresh = clock.UtcNow - askedAt < (maxAge ?? MaxAge) && knownPlayer == playerId();
            if (isFresh) return Task.FromResult(Describe(false));
            if (asking == null || asking.IsCompleted) asking = Ask();
            return asking;
        }

        /// <summary>One value as it was loaded last; the fallback where there is none of that kind. Numbers fit every numeric type.</summary>
        public T Get<T>(string key, T fallback)
        {
            object value;
            if (!values.TryGetValue(key, out value)) return fallback;
            if (value is T) return (T)value;
            if (!(value is long || value is double) || !typeof(T).IsPrimitive || typeof(T) == typeof(bool)) return fallback;
            try
            {
                return (T)Convert.ChangeType(value, typeof(T), CultureInfo.InvariantCulture);
            }
            catch (OverflowException)
            {
                return fallback;
            }
        }

        private async Task<RemoteConfig> Ask()
        {
            var player = playerId();
            var isKnown = known != null && knownPlayer == player;
            var condition = isKnown && etag != null ? new KeyValuePair<string, string>("If-None-Match", etag) : (KeyValuePair<string, string>?)null;
            try
            {
                var answer = await api.Call("GET", "/v1/config?player_id=" + Uri.EscapeDataString(player), null, condition);
                askedAt = clock.UtcNow;
                if (answer.Status == 304) return Describe(false);
                Take(answer.Body, player, answer.GetHeader("ETag"));
                file.Write(new Dictionary<string, object> { { "player_id", player }, { "etag", etag }, { "answer", known } });
                return Describe(false);
            }
            catch (OverworldException)
            {
                if (!isKnown) throw;
                return Describe(true);
            }
        }

        private void Take(string answer, string player, string tag)
        {
            var body = Json.TryParseObject(answer) ?? new Dictionary<string, object>();
            known = answer;
            knownPlayer = player;
            etag = tag;
            values = body.Object("config") ?? new Dictionary<string, object>();
        }

        private RemoteConfig Describe(bool isStale)
        {
            return new RemoteConfig { Values = values, Version = Json.TryParseObject(known).Whole("version"), IsStale = isStale };
        }
    }
}
