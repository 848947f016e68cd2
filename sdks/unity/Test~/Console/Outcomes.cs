using System.Collections.Generic;
using OverworldSdk;

/// <summary>Outcomes of calls in the form that all SDKs give the tests.</summary>
internal static class Outcomes
{
    public static object Describe(CloudSave save)
    {
        return save == null ? null : new Dictionary<string, object> { { "text", save.Json }, { "version", save.Version } };
    }

    public static object Describe(SaveResult save)
    {
        return new Dictionary<string, object> { { "text", save.Json }, { "version", save.Version }, { "was_conflict", save.WasConflict } };
    }

    public static object Describe(RemoteConfig config)
    {
        return new Dictionary<string, object> { { "config", config.Values }, { "version", config.Version }, { "is_stale", config.IsStale } };
    }

    public static object Describe(List<LeaderboardEntry> entries)
    {
        return entries.ConvertAll(entry => new Dictionary<string, object> { { "rank", entry.Rank }, { "player_id", entry.PlayerId }, { "score", entry.Score } });
    }

    public static object Describe(LeaderboardPlayers named)
    {
        return named.Players.ConvertAll(each => new Dictionary<string, object> { { "player_id", each.PlayerId }, { "rank", each.Entry == null ? null : (object)each.Entry.Rank } });
    }

    public static object Describe(SaveSlot slot)
    {
        return new Dictionary<string, object> { { "slot", slot.Slot }, { "version", slot.Version }, { "size_bytes", slot.SizeBytes } };
    }

    public static Dictionary<string, object> Describe(OverworldException error)
    {
        return new Dictionary<string, object> { { "code", error.Code }, { "status", error.Status }, { "message", error.Message } };
    }
}
