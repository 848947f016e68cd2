using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>A statistic of the player.</summary>
    public sealed class Stat
    {
        public string Key;
        public string Name;
        /// <summary>How changes join to the value: added up (`sum`), or the greatest (`max`), the least (`min`) or the last one (`latest`).</summary>
        public string Aggregation;
        /// <summary>Null before the first change.</summary>
        public double? Value;
        public DateTime? UpdatedAt;
    }

    /// <summary>Statistics: numbers of the player, which the dashboard defines.</summary>
    public sealed class Stats
    {
        private const string Path = "/v1/stats";
        private readonly ApiClient api;
        private readonly Player player;
        private readonly KeptCalls kept;

        internal Stats(ApiClient api, Player player, KeptCalls kept)
        {
            this.api = api;
            this.player = player;
            this.kept = kept;
            kept.Serve(KeptCalls.Stats, ChangeNow);
        }

        /// <summary>
        /// Changes 1 to 100 statistics of the player, all or none: adds to a `sum`, or gives a value that the player has
        /// reached. Returns the new values by their keys. The changes are made once, also if they are sent later.
        /// </summary>
        /// <exception cref="OverworldException">Status 400: a value would leave its bounds, if `Body` has the code `STAT_OUT_OF_BOUNDS`. With `IsKept`: they are sent later.</exception>
        public async Task<Dictionary<string, double>> Change(IDictionary<string, double> changes)
        {
            var list = new List<object>();
            foreach (var change in changes) list.Add(new Dictionary<string, object> { { "key", change.Key }, { "value", change.Value } });
            var json = Json.Write(list);
            var id = await player.Get();
            var call = new KeptCall(KeptCalls.Stats, id, Ids.Make());
            call.Members["body"] = "{\"player_id\":" + Json.Write(id) + ",\"changes\":" + json + "}";
            return (Dictionary<string, double>)await kept.Make(call);
        }

        /// <summary>All statistics of the game, with the values of the player.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<List<Stat>> List()
        {
            var id = await player.Get();
            var answer = await api.Call("GET", Path + "?player_id=" + Uri.EscapeDataString(id), "stats", player: id);
            return answer.ReadObject().Each("stats", Read);
        }

        private async Task<object> ChangeNow(KeptCall call)
        {
            var key = new KeyValuePair<string, string>("Idempotency-Key", call.Target);
            var answer = await api.Call("POST", Path, "stats", call.Members.Text("body"), key, player: call.PlayerId);
            var values = new Dictionary<string, double>();
            foreach (var stat in answer.ReadObject().Each("stats", Read)) values[stat.Key] = stat.Value ?? 0;
            return values;
        }

        private static Stat Read(Dictionary<string, object> from)
        {
            return new Stat
            {
                Key = from.Text("key"),
                Name = from.Text("name"),
                Aggregation = from.Text("aggregation"),
                Value = from.NumberOrNull("value"),
                UpdatedAt = from.Moment("updated_at"),
            };
        }
    }
}
