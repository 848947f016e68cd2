using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using OverworldSdk;
using UnityEngine;

/// <summary>
/// Plays a game on a console: reads calls as lines of JSON, `{"id", "call", "args"}`, makes them of the
/// client, and writes each outcome, `{"id", "result"}` or `{"id", "error"}`.
/// </summary>
internal static class ConsoleDriver
{
    private static readonly SocketTransport Transport = new SocketTransport();
    private static OverworldClient client;
    private static readonly List<object> Said = new List<object>();
    private static readonly List<object> Dropped = new List<object>();
    private static readonly List<object> Errors = new List<object>();
    private static readonly List<object> Others = new List<object>();
    private static readonly List<object> Told = new List<object>();
    private static TimeSpan skew = TimeSpan.Zero;

    private static void Main()
    {
        var loop = new MainLoop();
        SynchronizationContext.SetSynchronizationContext(loop);
        new Thread(() => ReadLines(loop)) { IsBackground = true }.Start();
        loop.Run(() =>
        {
            if (client != null) client.Tick();
        });
    }

    private static void ReadLines(MainLoop loop)
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var request = (Dictionary<string, object>)Json.Parse(line);
            loop.Post(ignored => Answer(request), null);
        }
        loop.Stop();
    }

    private static async void Answer(Dictionary<string, object> request)
    {
        var answer = new Dictionary<string, object> { { "id", request["id"] } };
        try
        {
            answer["result"] = await Make((string)request["call"], (Dictionary<string, object>)request["args"]);
        }
        catch (OverworldException error)
        {
            var described = Outcomes.Describe(error);
            described["is_kept"] = error.IsKept;
            answer["error"] = described;
        }
        catch (Exception error)
        {
            answer["error"] = new Dictionary<string, object> { { "code", error.ToString() } };
        }
        Console.WriteLine(Json.Write(answer));
    }

    private static async Task<object> Make(string call, Dictionary<string, object> args)
    {
        switch (call)
        {
            case "open": return Open(args);
            case "forms": return WriteForms();
            case "json": return Rewrite((string)args["text"]);
            case "player_id": return client.PlayerId;
            case "set_player_id":
                client.SetPlayerId((string)args["player_id"]);
                return null;
            case "set_offline":
                Transport.IsOffline = (bool)args["is_offline"];
                return null;
            case "flush_on_error":
                client.OnError += error => client.Flush();
                return null;
            case "advance":
                skew += TimeSpan.FromSeconds(Convert.ToDouble(args["seconds"]));
                return null;
            case "track":
                client.Track((string)args["event_name"], Get(args, "properties") as Dictionary<string, object>);
                return null;
            case "identify": return await client.Identify((Dictionary<string, object>)args["properties"]);
            case "tags.add": return await client.Tags.Add((string)args["tag"]);
            case "tags.remove":
                await client.Tags.Remove((string)args["tag"]);
                return null;
            case "saves.load": return Outcomes.Describe(await client.Saves.Load(Slot(args)));
            case "saves.save": return Outcomes.Describe(await client.Saves.Save((string)args["text"], ReadPolicy(args), (long?)Get(args, "version"), Slot(args)));
            case "saves.delete":
                await client.Saves.Delete(Slot(args));
                return null;
            case "saves.list": return (await client.Saves.List()).ConvertAll(Outcomes.Describe);
            case "achievements.unlock": return (await client.Achievements.Unlock((string)args["key"], Get(args, "locale") as string)).AlreadyUnlocked;
            case "achievements.progress": return (await client.Achievements.List()).Achievements.ConvertAll(Outcomes.DescribeProgress);
            case "stats.change": return await client.Stats.Change(Numbers((Dictionary<string, object>)args["changes"]));
            case "stats.list": return (await client.Stats.List()).ConvertAll(Outcomes.Describe);
            case "messages.watch":
                client.OnMessages += messages => Told.Add(new List<PlayerMessage>(messages).ConvertAll(message => message.Id));
                return null;
            case "messages.told": return Told;
            case "messages.list": return Outcomes.Describe(await client.Messages.List(Get(args, "locale") as string));
            case "messages.read":
                await client.Messages.Read((string)args["id"]);
                return null;
            case "messages.claim": return Outcomes.Describe(await client.Messages.Claim((string)args["id"]));
            case "messages.delete":
                await client.Messages.Delete((string)args["id"]);
                return null;
            case "achievements.list": return (await client.Achievements.List(Get(args, "locale") as string)).UnlockedPoints;
            case "leaderboards.submit": return await Submit(args);
            case "leaderboards.page": return Outcomes.Describe((await client.Leaderboards.Page((string)args["board"], Int(args, "limit"))).Entries);
            case "leaderboards.around": return Outcomes.Describe((await client.Leaderboards.Around((string)args["board"], Int(args, "above"), Int(args, "below"), Int(args, "season"))).Entries);
            case "leaderboards.players": return Outcomes.Describe(await client.Leaderboards.Players((string)args["board"], Texts(args["player_ids"]), Int(args, "season")));
            case "config.load": return Outcomes.Describe(await client.Config.Load(TimeSpan.FromSeconds(Convert.ToDouble(args["max_age_seconds"]))));
            case "config.get": return GetValue((string)args["key"], args["fallback"]);
            case "account.login_with": return (await client.Account.LoginWith((string)args["provider"], ReadCredentials(args))).PlayerId;
            case "account.link": return await client.Account.Link((string)args["provider"], ReadCredentials(args));
            case "account.unlink": return await client.Account.Unlink((string)args["provider"]);
            case "account.logout":
                await client.Account.Logout();
                return null;
            case "account.create_move_code": return await client.Account.CreateMoveCode();
            case "account.move_here": return (await client.Account.MoveHere((string)args["code"])).PlayerId;
            case "account.get_player_token": return await client.Account.GetPlayerToken();
            case "account.export_data": return (await client.Account.ExportData()).Object("player").Text("player_id");
            case "account.erase_player":
                await client.Account.ErasePlayer();
                return null;
            case "web_copies": return WebStorage.Copies;
            case "queued_calls": return client.QueuedCalls;
            case "other_players": return Others;
            case "said": return Said;
            case "find_problem": return await ConnectionCheck.FindProblem(Transport, (string)args["base_url"], (string)args["api_key"]);
            case "set_tracking":
                client.TrackingEnabled = (bool)args["is_enabled"];
                return null;
            case "flush": return await client.Flush();
            case "close":
                await client.Close();
                return null;
            case "reports": return new Dictionary<string, object> { { "dropped", Dropped }, { "errors", Errors }, { "queued", client.QueuedEvents } };
            default: throw new ArgumentException("no such call: " + call);
        }
    }

    private static string WriteForms()
    {
        UnityForms.Set();
        return Json.Write(new Dictionary<string, object>
        {
            { "enum", DropReason.QueueFull },
            { "enums", new[] { DropReason.Rejected } },
            { "position", new Vector3 { x = 1, y = 2.5f, z = 0.1f } },
            { "screen", new Vector2 { x = 3, y = 4 } },
            { "cell", new Vector3Int { x = 5, y = 6, z = 7 } },
            { "tile", new Vector2Int { x = 8, y = 9 } },
        });
    }

    /// <summary>Null if the text is no JSON.</summary>
    private static string Rewrite(string text)
    {
        try
        {
            return Json.Write(Json.Parse(text));
        }
        catch (FormatException)
        {
            return null;
        }
    }

    private static object Open(Dictionary<string, object> args)
    {
        IStorage storage = FileStorage.For((string)args["folder"], Get(args, "first_api_key") as string ?? (string)args["api_key"]);
        if (Get(args, "web_room") != null) WebStorage.Room = Convert.ToInt32(Get(args, "web_room"));
        if (Get(args, "is_web") as bool? ?? false) storage = new WebStorage("overworld:studio/game:", storage);
        client = new OverworldClient(new OverworldOptions
        {
            BaseUrl = (string)args["base_url"],
            ApiKey = (string)args["api_key"],
            PlayerId = Get(args, "player_id") as string,
            Storage = storage,
            Transport = Transport,
            Platform = "linux",
            AppVersion = Get(args, "app_version") as string,
            TrackingEnabled = Get(args, "tracking_enabled") as bool? ?? true,
            Log = text => Said.Add(text),
            FlushInterval = TimeSpan.FromSeconds(Convert.ToDouble(args["flush_interval_seconds"])),
            MaxQueuedEvents = Convert.ToInt32(args["max_queued_events"]),
            Timeout = TimeSpan.FromSeconds(Convert.ToDouble(args["timeout_seconds"])),
            UtcNow = () => DateTime.UtcNow + skew,
        });
        client.OnDrop += dropped => Dropped.Add(new Dictionary<string, object>
        {
            { "reason", ReasonName(dropped.Reason) },
            { "events", new List<string>(dropped.Events).ConvertAll(json => ((Dictionary<string, object>)Json.Parse(json))["event_name"]) },
            { "message", dropped.Message },
            { "messages", new List<EventViolation>(dropped.Violations).ConvertAll(violation => violation.Message) },
        });
        client.OnOtherPlayer += Others.Add;
        client.OnError += error => Errors.Add(Outcomes.Describe(error));
        return client.PlayerId;
    }

    private static async Task<object> Submit(Dictionary<string, object> args)
    {
        var stored = await client.Leaderboards.Submit((string)args["board"], Convert.ToDouble(args["score"]),
            Get(args, "player_name") as string, Get(args, "metadata") as Dictionary<string, object>,
            Get(args, "tie_value") == null ? (double?)null : Convert.ToDouble(args["tie_value"]));
        return new Dictionary<string, object> { { "rank", stored.Entry.Rank }, { "score", stored.Entry.Score }, { "updated", stored.Updated } };
    }

    private static Dictionary<string, string> ReadCredentials(Dictionary<string, object> args)
    {
        var credentials = new Dictionary<string, string>();
        foreach (var member in args) if (member.Key != "provider") credentials[member.Key] = (string)member.Value;
        return credentials;
    }

    private static ConflictPolicy ReadPolicy(Dictionary<string, object> args)
    {
        switch (Get(args, "policy") as string)
        {
            case "ours": return ConflictPolicy.Ours;
            case "theirs": return ConflictPolicy.Theirs;
            case "newest": return ConflictPolicy.Newest;
            case "per-field": return ConflictPolicy.PerField;
            default: return null;
        }
    }

    private static string ReasonName(DropReason reason)
    {
        var name = reason.ToString();
        return System.Text.RegularExpressions.Regex.Replace(name, "(?<!^)[A-Z]", "_$0").ToLowerInvariant();
    }

    private static object GetValue(string key, object fallback)
    {
        if (fallback is string) return client.Config.Get(key, (string)fallback);
        if (fallback is bool) return client.Config.Get(key, (bool)fallback);
        return client.Config.Get(key, Convert.ToDouble(fallback));
    }

    private static string Slot(Dictionary<string, object> args)
    {
        return Get(args, "slot") as string ?? "main";
    }

    private static int? Int(Dictionary<string, object> args, string name)
    {
        return (int?)(long?)Get(args, name);
    }

    private static List<string> Texts(object list)
    {
        return ((List<object>)list).ConvertAll(each => (string)each);
    }

    private static Dictionary<string, double> Numbers(Dictionary<string, object> from)
    {
        var numbers = new Dictionary<string, double>();
        foreach (var member in from) numbers[member.Key] = Convert.ToDouble(member.Value);
        return numbers;
    }

    private static object Get(Dictionary<string, object> args, string name)
    {
        object value;
        return args.TryGetValue(name, out value) ? value : null;
    }
}
