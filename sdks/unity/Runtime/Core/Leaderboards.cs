using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace OverworldSdk
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
        /// <summary>Only on a board with a tie-break; null when none was sent.</summary>
        public double? TieValue;
    }

    public sealed class SubmittedScore
    {
        /// <summary>The stored entry: the player's best score.</summary>
        public LeaderboardEntry Entry;
        /// <summary>True if this score was better than the one before, or the first.</summary>
        public bool Updated;
        public long TotalEntries;
        /// <summary>What the board keeps of the scores of a player: `latest` or `sum`; null if it is the best.</summary>
        public string Keeps;
    }

    public sealed class LeaderboardPage
    {
        public string BoardName;
        public long Season;
        public long TotalEntries;
        public List<LeaderboardEntry> Entries;
    }

    /// <summary>A named player on a board.</summary>
    public sealed class LeaderboardPlayer
    {
        public string PlayerId;
        /// <summary>Null without an entry.</summary>
        public LeaderboardEntry Entry;
    }

    public sealed class LeaderboardPlayers
    {
        public string BoardName;
        public long Season;
        public long TotalEntries;
        /// <summary>In order of rank; players without an entry come last.</summary>
        public List<LeaderboardPlayer> Players;
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

        /// <summary>Submits a score. The board keeps the player's best; if its settings say the latest score or the sum, each call counts once.</summary>
        /// <param name="tieValue">Decides among equal scores on a board with a tie-break.</param>
        /// <exception cref="OverworldException">Status 400: the score is outside the bounds of the board. With `IsKept`: it is sent later.</exception>
        public async Task<SubmittedScore> Submit(string board, double score, string playerName = null,
            IDictionary<string, object> metadata = null, double? tieValue = null)
        {
            var id = await player.Get();
            var request = new Dictionary<string, object> { { "board_name", board }, { "player_id", id }, { "score", score } };
            if (playerName != null) request["player_name"] = playerName;
            if (metadata != null) request["metadata"] = metadata;
            if (tieValue != null) request["tie_value"] = tieValue.Value;
            var call = new KeptCall(KeptCalls.Scores, id, board);
            call.Members["score"] = score;
            if (tieValue != null) call.Members["tie_value"] = tieValue.Value;
            call.Members["key"] = Ids.Make();
            call.Members["body"] = Json.Write(request);
            return (SubmittedScore)await kept.Make(call);
        }

        private async Task<object> SubmitNow(KeptCall call)
        {
            var key = new KeyValuePair<string, string>("Idempotency-Key", call.Members.Text("key"));
            var answer = await api.Call("POST", "/v1/leaderboards", "rank", call.Members.Text("body"), key, player: call.PlayerId);
            var body = answer.ReadObject();
            return new SubmittedScore
            {
                Entry = Read(body),
                Updated = body.Flag("updated"),
                TotalEntries = body.Whole("total_entries"),
                Keeps = body.Text("keeps"),
            };
        }

        /// <summary>A page of a board: the first 50 entries, or `limit` entries from `offset` on.</summary>
        /// <param name="limit">1 to 100.</param>
        /// <param name="season">A past season; the current one when left out.</param>
        /// <exception cref="OverworldException"/>
        public async Task<LeaderboardPage> Page(string board, int? limit = null, int? offset = null, int? season = null)
        {
            return ReadPage(await Get(PathOf(board), Query("limit", limit) + Query("offset", offset) + Query("season", season)));
        }

        /// <summary>
        /// The player's entry with up to `above` entries before it and up to `below` entries behind it: 0 to 50, by
        /// default five each. If the player has no entry, there are no entries.
        /// </summary>
        /// <exception cref="OverworldException"/>
        public async Task<LeaderboardPage> Around(string board, int? above = null, int? below = null, int? season = null)
        {
            var id = await player.Get();
            var path = PathOf(board) + "/around/" + Uri.EscapeDataString(id);
            // The token lets players see their own score while it waits for a decision.
            return ReadPage(await Get(path, Query("above", above) + Query("below", below) + Query("season", season), id));
        }

        /// <summary>The entries of 1 to 100 named players, such as friends, with their ranks among all entries.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<LeaderboardPlayers> Players(string board, IEnumerable<string> playerIds, int? season = null)
        {
            var request = new Dictionary<string, object> { { "player_ids", new List<string>(playerIds) } };
            if (season != null) request["season"] = season.Value;
            var body = (await api.Call("POST", PathOf(board) + "/players", "players", Json.Write(request))).ReadObject();
            return new LeaderboardPlayers
            {
                BoardName = body.Text("board_name"),
                Season = body.Whole("season"),
                TotalEntries = body.Whole("total_entries"),
                Players = body.Each("players", ReadPlayer),
            };
        }

        private async Task<Dictionary<string, object>> Get(string path, string query, string id = null)
        {
            var answer = await api.Call("GET", query == "" ? path : path + "?" + query.Substring(1), "entries", player: id);
            return answer.ReadObject();
        }

        private static string PathOf(string board)
        {
            return "/v1/leaderboards/" + Uri.EscapeDataString(board);
        }

        private static string Query(string name, int? value)
        {
            return value == null ? "" : "&" + name + "=" + value.Value.ToString(CultureInfo.InvariantCulture);
        }

        private static LeaderboardPage ReadPage(Dictionary<string, object> body)
        {
            return new LeaderboardPage
            {
                BoardName = body.Text("board_name"),
                Season = body.Whole("season"),
                TotalEntries = body.Whole("total_entries"),
                Entries = body.Each("entries", Read),
            };
        }

        private static LeaderboardPlayer ReadPlayer(Dictionary<string, object> from)
        {
            var entry = from.Object("entry");
            return new LeaderboardPlayer { PlayerId = from.Text("player_id"), Entry = entry == null ? null : Read(entry) };
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
                TieValue = from.NumberOrNull("tie_value"),
            };
        }
    }
}
