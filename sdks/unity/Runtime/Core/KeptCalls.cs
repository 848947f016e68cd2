using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>
    /// Scores, statistics, unlocks and saves. Each call is in the storage before it is sent, calls of a kind are sent in
    /// their order, and calls that do not reach the server are sent later, also after a restart. To make a
    /// call twice has the effect of making it once. A call is sent as the player who made it, and waits for the
    /// login of this player if the server asks for one.
    /// </summary>
    internal sealed class KeptCalls
    {
        public const string Scores = "scores";
        public const string Stats = "stats";
        public const string Unlocks = "unlocks";
        public const string Saves = "saves";
        private static readonly string[] Kinds = { Scores, Stats, Unlocks, Saves };
        private const string NamePrefix = "call-";
        private const int MaxCalls = 200;
        private static readonly TimeSpan LongestBackoff = TimeSpan.FromSeconds(60);
        /// <summary>Limits of all calls end within a minute. If a call is refused for longer, the limit is about its board or player.</summary>
        private static readonly TimeSpan LongestCommonLimit = TimeSpan.FromSeconds(60);
        private readonly WatchedStorage storage;
        private readonly ApiClient api;
        private readonly Logins logins;
        private readonly Clock clock;
        private readonly EventReports reports;
        private readonly List<KeptCall> calls = new List<KeptCall>();
        private readonly Dictionary<string, Turns> turns = new Dictionary<string, Turns>();
        private readonly Dictionary<string, Func<KeptCall, Task<object>>> makers = new Dictionary<string, Func<KeptCall, Task<object>>>();
        private long nextNumber = 1;
        private int failures;
        private bool isRetrying;
        private DateTime retryAt = DateTime.MinValue;

        public KeptCalls(WatchedStorage storage, ApiClient api, Logins logins, Clock clock, EventReports reports)
        {
            this.storage = storage;
            this.api = api;
            this.logins = logins;
            this.clock = clock;
            this.reports = reports;
            foreach (var kind in Kinds) turns[kind] = new Turns();
        }

        /// <summary>Reads the calls of earlier starts.</summary>
        public void Open()
        {
            StateFile.Try(Load);
        }

        /// <summary>The present player.</summary>
        public Player Player;

        public int Count { get { return calls.Count; } }

        /// <summary>Says how calls of a kind are made.</summary>
        public void Serve(string kind, Func<KeptCall, Task<object>> maker)
        {
            makers[kind] = maker;
        }

        /// <exception cref="OverworldException">With `IsKept` if the call is in the storage and will be sent later. Without it the call is forgotten.</exception>
        public async Task<object> Make(KeptCall call)
        {
            api.RequireEnabled();
            call.Name = NamePrefix + nextNumber++.ToString("D15", CultureInfo.InvariantCulture);
            call.IsAwaited = true;
            call.IsSeen = true;
            calls.Add(call);
            var isWritten = StateFile.Try(() => storage.Write(call.Name, Json.Write(call.Members)));
            call.IsStored = isWritten && storage.IsLasting;
            // The storage always has one of both, also on a full disk.
            if (isWritten) Replace(call);
            if (calls.Count > MaxCalls)
            {
                var full = new OverworldException("queue_full", "More than " + MaxCalls + " calls wait");
                var dropped = calls.Find(IsNeedless) ?? calls[0];
                dropped.Error = full;
                Remove(dropped);
                reports.TellError(full);
            }
            return await turns[call.Kind].Take(() => SendUpTo(call));
        }

        /// <summary>Runs after the earlier calls of a kind, also if they wait for the network.</summary>
        public Task<T> After<T>(string kind, Func<Task<T>> run)
        {
            api.RequireEnabled();
            return turns[kind].Take(async () =>
            {
                await SendWaiting(kind);
                return await run();
            });
        }

        /// <summary>Runs while no call is on its way, and none is sent.</summary>
        public Task<T> Alone<T>(Func<Task<T>> run)
        {
            return turns[Scores].Take(() => turns[Stats].Take(() => turns[Unlocks].Take(() => turns[Saves].Take(run))));
        }

        /// <summary>The last call that waits for the player and the target; null if there is none.</summary>
        public KeptCall Find(string kind, string player, string target)
        {
            return calls.FindLast(call => call.IsLike(kind, player, target));
        }

        public void Remove(KeptCall call)
        {
            calls.Remove(call);
            StateFile.Try(() => storage.Delete(call.Name));
        }

        /// <summary>Removes all calls of an erased player.</summary>
        public void Forget(string player)
        {
            foreach (var call in calls.FindAll(each => each.PlayerId == player))
            {
                call.Error = new OverworldException("not_found", "Player not found");
                Remove(call);
            }
        }

        /// <summary>Sends all calls. Returns whether no call waits any more.</summary>
        public async Task<bool> Flush()
        {
            foreach (var kind in Kinds) await turns[kind].Take(() => SendWaiting(kind));
            return calls.Count == 0;
        }

        /// <summary>Sends the calls again when it is time.</summary>
        public async void Tick()
        {
            if (calls.Count == 0 || isRetrying || clock.UtcNow < retryAt || calls.Exists(call => call.IsAwaited)) return;
            isRetrying = true;
            try
            {
                await Flush();
            }
            finally
            {
                isRetrying = false;
            }
        }

        /// <summary>Sends the calls for which no caller waits. Those were made later, and are sent in their own turns.</summary>
        private async Task<bool> SendWaiting(string kind)
        {
            var last = calls.FindLast(call => call.Kind == kind && !call.IsAwaited);
            if (last == null) return true;
            try
            {
                await SendUpTo(last);
            }
            catch (OverworldException)
            {
                // The call stays, to be sent again.
                return false;
            }
            return true;
        }

        private async Task<object> SendUpTo(KeptCall last)
        {
            // The refusals that are only about one board, by the key of its calls.
            var refusals = new Dictionary<string, OverworldException>();
            foreach (var call in calls.GetRange(0, calls.IndexOf(last) + 1).FindAll(each => each.Kind == last.Kind))
            {
                if (last.IsAwaited && !calls.Contains(last)) break;
                var isOfOther = !(call == last && last.IsAwaited) && call.PlayerId != Player.Id;
                if (!calls.Contains(call) || (isOfOther && logins.Absent.Contains(call.PlayerId))) continue;
                try
                {
                    OverworldException refusal;
                    if (refusals.TryGetValue(call.Key, out refusal)) throw refusal;
                    call.Result = await makers[call.Kind](call);
                    failures = 0;
                    var submitted = call.Result as SubmittedScore;
                    if (submitted != null && submitted.Keeps == null)
                    {
                        foreach (var needless in calls.FindAll(each => each.Key == call.Key && IsNeedless(each))) Remove(needless);
                    }
                }
                catch (OverworldException error)
                {
                    if (isOfOther && error.LacksLogin)
                    {
                        logins.Absent.Add(call.PlayerId);
                        reports.TellError(error);
                        continue;
                    }
                    if (error.MayPassLater)
                    {
                        var isOfBoard = error.Code == "rate_limited" && error.RetryAfter > LongestCommonLimit;
                        PutOff(error, isOfBoard);
                        if (!isOfBoard || call == last) throw Keep(last, error);
                        refusals[call.Key] = error;
                        continue;
                    }
                    call.Error = error;
                    if (!call.IsAwaited) reports.TellError(error);
                }
                catch (Exception error)
                {
                    call.Error = error;
                }
                Remove(call);
                if (call == last) break;
            }
            if (last.Error != null) throw last.Error;
            return last.Result;
        }

        private void PutOff(OverworldException error, bool isOfBoard)
        {
            // The wait for one board does not put off the other calls.
            if (isOfBoard && clock.UtcNow < retryAt) return;
            // The call itself has been tried several times.
            var wait = Backoff.WaitAfter(++failures + ApiClient.MaxAttempts, error.RetryAfter, LongestBackoff);
            retryAt = clock.UtcNow + wait;
        }

        /// <summary>Keeps a call that was not sent, or forgets it if the storage has not taken it. Returns its error.</summary>
        private OverworldException Keep(KeptCall last, OverworldException error)
        {
            last.IsAwaited = false;
            error.IsKept = last.IsStored;
            if (last.IsStored) return error;
            Remove(last);
            return storage.IsLasting ? OverworldException.OfStorage(error) : error;
        }

        /// <summary>
        /// A later call replaces waiting calls. But some boards count each score, and a save of an earlier start that the
        /// game has not seen is sent first.
        /// </summary>
        private void Replace(KeptCall call)
        {
            if (call.Kind == Scores) return;
            foreach (var each in calls.FindAll(waiting => !waiting.IsAwaited && waiting.IsLike(call.Kind, call.PlayerId, call.Target)))
            {
                if (call.Kind != Saves || each.IsSeen) Remove(each);
            }
        }

        /// <summary>
        /// Tells whether a waiting score is needless if its board keeps the best one: the highest or the lowest, of which tie
        /// values decide among several.
        /// </summary>
        private bool IsNeedless(KeptCall waiting)
        {
            if (waiting.Kind != Scores || waiting.IsAwaited) return false;
            var all = calls.FindAll(call => call.Kind == Scores && call.Key == waiting.Key);
            var scores = all.ConvertAll(call => call.Score);
            scores.Sort();
            var isBest = waiting.Score == scores[0] || waiting.Score == scores[scores.Count - 1];
            var isFirst = all.Find(call => call.Score == waiting.Score) == waiting;
            return !isBest || !(isFirst || waiting.Members.ContainsKey("tie_value"));
        }

        private void Load()
        {
            foreach (var name in storage.List(NamePrefix))
            {
                var members = Json.TryParseObject(storage.Read(name) ?? "");
                long number;
                if (long.TryParse(name.Substring(NamePrefix.Length), out number)) nextNumber = Math.Max(nextNumber, number + 1);
                var call = members == null ? null : new KeptCall(members);
                if (call != null && turns.ContainsKey(call.Kind ?? "")) calls.Add(call);
                else storage.Delete(name);
                if (call == null) continue;
                call.Name = name;
                call.IsStored = true;
            }
        }
    }
}
