using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>How far a player is with an achievement that unlocks by statistics: 37 of 100.</summary>
    public sealed class AchievementProgress
    {
        public double Current;
        public double Target;
    }

    public sealed class Achievement
    {
        public string Key;
        /// <summary>`???` while the achievement is hidden and locked. The same is true of the description.</summary>
        public string Name;
        public string Description;
        public string IconUrl;
        public long Points;
        public bool Hidden;
        public bool Unlocked;
        public DateTime? UnlockedAt;
        /// <summary>Null if it does not unlock by statistics, and while it is hidden and locked.</summary>
        public AchievementProgress Progress;
    }

    public sealed class AchievementList
    {
        public List<Achievement> Achievements;
        /// <summary>Points of all listed achievements.</summary>
        public long TotalPoints;
        public long UnlockedPoints;
    }

    public sealed class Unlock
    {
        public string Key;
        public string Name;
        public string Description;
        public long Points;
        /// <summary>True if the player had the achievement before.</summary>
        public bool AlreadyUnlocked;
        /// <summary>Points of all that this player has unlocked.</summary>
        public long TotalPoints;
    }

    public sealed class Achievements
    {
        private readonly ApiClient api;
        private readonly Player player;
        private readonly KeptCalls kept;

        internal Achievements(ApiClient api, Player player, KeptCalls kept)
        {
            this.api = api;
            this.player = player;
            this.kept = kept;
            kept.Serve(KeptCalls.Unlocks, UnlockNow);
        }

        /// <summary>All achievements of the game, and the unlocks of the player.</summary>
        /// <param name="locale">The language of names and descriptions, such as `pt-BR`, if the dashboard has them in it.</param>
        /// <exception cref="OverworldException"/>
        public async Task<AchievementList> List(string locale = null)
        {
            var id = await player.Get();
            var path = "/v1/achievements?player_id=" + Uri.EscapeDataString(id) + Locales.Query(locale);
            var answer = await api.Call("GET", path, "achievements", player: id);
            var body = answer.ReadObject();
            return new AchievementList
            {
                Achievements = body.Each("achievements", Read),
                TotalPoints = body.Whole("total_points"),
                UnlockedPoints = body.Whole("unlocked_points"),
            };
        }

        /// <summary>Unlocks an achievement. Unlocking it again changes nothing.</summary>
        /// <param name="locale">The language of the name and the description, as in `List`.</param>
        /// <exception cref="OverworldException">Status 404: no achievement has this key. With `IsKept`: it is sent later.</exception>
        public async Task<Unlock> Unlock(string key, string locale = null)
        {
            var call = new KeptCall(KeptCalls.Unlocks, await player.Get(), key) { Given = locale };
            return (Unlock)await kept.Make(call);
        }

        private async Task<object> UnlockNow(KeptCall call)
        {
            var request = new Dictionary<string, object> { { "achievement_key", call.Target }, { "player_id", call.PlayerId } };
            var path = "/v1/achievements/unlock" + Locales.Query(call.Given as string).Replace('&', '?');
            var answer = await api.Call("POST", path, "achievement", Json.Write(request), player: call.PlayerId);
            var body = answer.ReadObject();
            var achievement = body.Object("achievement") ?? new Dictionary<string, object>();
            return new Unlock
            {
                Key = achievement.Text("key"),
                Name = achievement.Text("name"),
                Description = achievement.Text("description"),
                Points = achievement.Whole("points"),
                AlreadyUnlocked = body.Flag("already_unlocked"),
                TotalPoints = body.Whole("total_points"),
            };
        }

        private static Achievement Read(Dictionary<string, object> from)
        {
            var progress = from.Object("progress");
            return new Achievement
            {
                Key = from.Text("key"),
                Name = from.Text("name"),
                Description = from.Text("description"),
                IconUrl = from.Text("icon_url"),
                Points = from.Whole("points"),
                Hidden = from.Flag("hidden"),
                Unlocked = from.Flag("unlocked"),
                UnlockedAt = from.Moment("unlocked_at"),
                Progress = progress == null ? null : new AchievementProgress { Current = progress.Number("current"), Target = progress.Number("target") },
            };
        }
    }
}
