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

    public static object DescribeProgress(Achievement achievement)
    {
        var progress = achievement.Progress;
        return new Dictionary<string, object>
        {
            { "key", achievement.Key },
            { "progress", progress == null ? null : new Dictionary<string, object> { { "current", progress.Current }, { "target", progress.Target } } },
        };
    }

    public static object Describe(Stat stat)
    {
        return new Dictionary<string, object> { { "key", stat.Key }, { "aggregation", stat.Aggregation }, { "value", stat.Value } };
    }

    public static object Describe(MessageList list)
    {
        var messages = list.Messages.ConvertAll(message => new Dictionary<string, object>
        {
            { "id", message.Id }, { "title", message.Title }, { "read", message.Read }, { "claimed", message.Claimed },
        });
        return new Dictionary<string, object> { { "messages", messages }, { "unread_count", list.UnreadCount }, { "is_stale", list.IsStale } };
    }

    public static object Describe(MessageClaim claim)
    {
        return new Dictionary<string, object> { { "already_claimed", claim.AlreadyClaimed }, { "rewards", claim.Rewards.ConvertAll(Describe) } };
    }

    /// <summary>As the server writes it: only items have a quantity, and only statistics a value.</summary>
    private static Dictionary<string, object> Describe(Reward reward)
    {
        var described = new Dictionary<string, object> { { "type", reward.Type }, { "key", reward.Key } };
        if (reward.Type == "item") described["quantity"] = reward.Quantity;
        if (reward.Type == "stat") described["value"] = reward.Value;
        if (reward.Data != null) described["data"] = reward.Data;
        return described;
    }

    public static Dictionary<string, object> Describe(OverworldException error)
    {
        return new Dictionary<string, object> { { "code", error.Code }, { "status", error.Status }, { "message", error.Message } };
    }
}
