using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace Overworld
{
    public sealed class LeaderboardEntry
    {
        /// <summary>1 is first.</summary>
        public long Rank;
        public string PlayerId;
        /// <summary>Null when none was sent.</summary>
        public string PlayerName;
        public double Score;
        /// <summary>Null when none was sent.</summary>
        public Dictionary<string, object> Metadata;
        public DateTime? UpdatedAt;
    }

    public sealed class SubmittedScore
    {
        /// <summary>The stored entry: the player's best score.</summary>
        public LeaderboardEntry Entry;
        /// <summary>Whether this score was better than the one before, or the first.</summary>
        public bool Updated;
        public long TotalEntries;
    }

    public sealed class LeaderboardPage
    {
        public string BoardName;
        public long Season;
        public long TotalEntries;
        public List<LeaderboardEntry> Entries;
    }

    public sealed class LeaderboardNeighbours
    {
        public string BoardName;
        public long Season;
        public long TotalEntries;
        /// <summary>Entry of the player; null if there is none.</summary>
        public LeaderboardEntry Player;
        /// <summary>The player's entry and up to 5 to each side, in order of rank.</summary>
        public List<LeaderboardEntry> Around;
    }

    public sealed class Leaderboards
    {
        private readonly ApiClient api;
        private readonly Player player;
        private readonly KeptCalls kept;

        internal Leaderboards(ApiClient api, Player player, KeptCalls kept)
        {
            this.api = api;
            this.player = player;
            this.kept = kept;
            kept.Serve(KeptCalls.Scores, SubmitNow);
        }

        /// <summary>Submits a score; the board keeps the player's best.</summary>
        /// <exception cref="OverworldException">Status 400: the score is outside the bounds of the board. With `IsKept`: it is sent later.</exception>
        public async Task<SubmittedScore> Submit(string board, double score, string playerName = null,
            IDictionary<string, object> metadata = null)
        {
            var call = new KeptCall(KeptCalls.Scores, await player.Get(), board);
            call.Members["score"] = score;
            if (playerName != null) call.Members["player_name"] = playerName;
            if (metadata != null) call.Members["metadata"] = metadata;
            return (SubmittedScore)await kept.Make(call);
        }

        private async Task<object> SubmitNow(KeptCall call)
        {
            var request = new Dictionary<string, object> { { "board_name", call.Target } };
            foreach (var name in new[] { "player_id", "score", "player_name", "metadata" })
            {
                object value;
                if (call.Members.TryGetValue(name, out value)) request[name] = value;
            }
            var answer = await api.Call("POST", "/v1/leaderboards", Json.Write(request), player: call.PlayerId);
            var body = answer.ReadObject();
            return new SubmittedScore
            {
                Entry = Read(body),
                Updated = body.Flag("updated"),
                TotalEntries = body.Whole("total_entries"),
            };
        }

        /// <summary>A page of a board: the first 50 entries, or those of limit and offset.</summary>
        /// <param name="limit">1 to 100.</param>
        /// <param name="season">A past season; the current one when left out.</param>
        /// <exception cref="OverworldException"/>
        public async Task<LeaderboardPage> Page(string board, int? limit = null, int? offset = null, int? season = null)
        {
            var body = await Get(board, Query("limit", limit) + Query("offset", offset) + Query("season", season));
            return new LeaderboardPage
            {
                BoardName = body.Text("board_name"),
                Season = body.Whole("season"),
                TotalEntries = body.Whole("total_entries"),
                Entries = body.Each("entries", Read),
            };
        }

        /// <summary>The player's entry and up to 5 to each side.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<LeaderboardNeighbours> AroundMe(string board, int? season = null)
        {
            var id = await player.Get();
            var body = await Get(board, Query("limit", 1) + "&player_id=" + Uri.EscapeDataString(id) + Query("season", season));
            var own = body.Object("player");
            return new LeaderboardNeighbours
            {
                BoardName = body.Text("board_name"),
                Season = body.Whole("season"),
                TotalEntries = body.Whole("total_entries"),
                Player = own == null ? null : Read(own),
                Around = body.Each("around", Read),
            };
        }

        private async Task<Dictionary<string, object>> Get(string board, string query)
        {
            var path = "/v1/leaderboards/" + Uri.EscapeDataString(board);
            var answer = await api.Call("GET", query == "" ? path : path + "?" + query.Substring(1));
            return answer.ReadObject();
        }

        private static string Query(string name, int? value)
        {
            return value == null ? "" : "&" + name + "=" + value.Value.ToString(CultureInfo.InvariantCulture);
        }

        private static LeaderboardEntry Read(Dictionary<string, object> from)
        {
            return new LeaderboardEntry
            {
                Rank = from.Whole("rank"),
                PlayerId = from.Text("player_id"),
                PlayerName = from.Text("player_name"),
                Score = from.Number("score"),
                Metadata = from.Object("metadata"),
                UpdatedAt = from.Moment("updated_at"),
            };
        }
    }
}
