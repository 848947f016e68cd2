using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Logs the anonymous player in by the secret of the device, and keeps the sessions of players fresh.</summary>
    internal sealed class Logins
    {
        /// <summary>A token is renewed this long before its end, so that it does not expire on its way.</summary>
        private static readonly TimeSpan Margin = TimeSpan.FromMinutes(1);
        private static readonly TimeSpan Pause = TimeSpan.FromSeconds(30);
        /// <summary>A server without logins may be replaced while the game runs.</summary>
        private static readonly TimeSpan UnknownPause = TimeSpan.FromHours(1);
        /// <summary>The players whose calls and events wait until they log in.</summary>
        public readonly HashSet<string> Absent = new HashSet<string>();
        private readonly ApiClient api;
        private readonly Clock clock;
        private readonly EventReports reports;
        private readonly StateFile identityFile;
        private readonly PlayerSessions sessions;
        private readonly bool isAutomatic;
        private Dictionary<string, object> identity = new Dictionary<string, object>();
        /// <summary>The player of the next start, as last told.</summary>
        private string toldId;
        private readonly Dictionary<string, Task> running = new Dictionary<string, Task>();
        private readonly Dictionary<string, DateTime> pauses = new Dictionary<string, DateTime>();

        public Logins(ApiClient api, Clock clock, EventReports reports, IStorage storage, bool isAutomatic)
        {
            this.api = api;
            this.clock = clock;
            this.reports = reports;
            this.isAutomatic = isAutomatic;
            identityFile = new StateFile(storage, "player");
            sessions = new PlayerSessions(storage);
        }

        /// <summary>Reads the identity and the session of an earlier start.</summary>
        public void Open()
        {
            identity = identityFile.Read();
            sessions.Open();
            TakeDevice(sessions.Own);
        }

        /// <summary>Id of the player who has logged in, or of the anonymous player; empty until the anonymous player may be made.</summary>
        public string PlayerId
        {
            get
            {
                if (sessions.OwnId != null) return sessions.OwnId;
                if (api.IsEnabled) CompleteIdentity();
                return identity.Text("player_id") ?? "";
            }
        }

        public bool IsLoggedIn { get { return sessions.Own != null && sessions.Own.Text("refresh_token") != null; } }
        public List<string> Providers { get { return sessions.Own == null ? new List<string>() : sessions.Own.Texts("providers"); } }

        /// <summary>Logs the anonymous player in, unless another player plays. Never throws.</summary>
        public Task LogInByDevice()
        {
            var done = Task.FromResult(true);
            if (sessions.OwnId != null || !isAutomatic || !api.IsEnabled) return done;
            CompleteIdentity();
            var id = identity.Text("player_id");
            return IsPaused(id) && !running.ContainsKey(id) ? done : Once(id, EnterByDevice);
        }

        /// <summary>The token for a call about any player; null if there is no session of this player.</summary>
        public async Task<string> TokenOf(string player)
        {
            var last = sessions.Find(player);
            var hasAsked = sessions.IsKnown(player);
            var isDone = last == null || last.Text("refresh_token") == null || IsFresh(last) || IsPaused(player);
            if (!hasAsked || !isDone) await Once(player, () => Freshen(player, false));
            return sessions.TokenOf(player);
        }

        /// <summary>Another token of the player than this one; null if there is none.</summary>
        public async Task<string> Renew(string player, string token)
        {
            if (sessions.TokenOf(player) == token && !IsPaused(player)) await Once(player, () => Freshen(player, true));
            var next = sessions.TokenOf(player);
            return next == token ? null : next;
        }

        /// <summary>Tells the game if another client has changed the player of the next start.</summary>
        public void Look()
        {
            // To read the storage makes its folder.
            if (!api.IsEnabled) return;
            var next = sessions.NextId ?? identity.Text("player_id");
            var isNews = next != toldId && next != (sessions.OwnId ?? identity.Text("player_id"));
            toldId = next;
            if (isNews) reports.TellOtherPlayer(next);
        }

        /// <summary>Logs in by a call of the API. The answer's player becomes the player of this client and of the next start.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<Dictionary<string, object>> Enter(string path, Dictionary<string, object> body, bool isDevice)
        {
            var answer = await Ask(path, body);
            sessions.Keep(MakeSession(answer, body, isDevice), null, true);
            return answer;
        }

        /// <summary>Joins this device to the player who made the code.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<Dictionary<string, object>> Move(string code)
        {
            api.RequireEnabled();
            CompleteIdentity();
            // A device that has logged in belongs to another player.
            var device = new Dictionary<string, object> { { "device_id", Ids.Make() }, { "secret", MakeSecret() } };
            var body = new Dictionary<string, object>(device) { { "code", code }, { "provider", "device" } };
            var answer = await Enter("move", body, true);
            TakeDevice(sessions.Own);
            return answer;
        }

        /// <exception cref="OverworldException"/>
        public async Task Leave()
        {
            api.RequireEnabled();
            var token = sessions.Leave();
            if (token == null) return;
            await api.Call("POST", "/v1/players/logout", null, Json.Write(new Dictionary<string, object> { { "refresh_token", token } }));
        }

        /// <summary>Logs the device in again, if its player is the one of this client.</summary>
        /// <exception cref="OverworldException"/>
        public async Task EnterAgain()
        {
            if (isAutomatic && (sessions.Own == null || sessions.Own.Flag("is_device"))) await EnterByDevice();
        }

        /// <summary>Forgets an erased player. If it was the one of this device, the device gets a new one.</summary>
        public void Forget(string player)
        {
            sessions.Forget(player);
            if (identity.Text("player_id") != player) return;
            identity = new Dictionary<string, object>();
            CompleteIdentity();
        }

        /// <summary>Takes over the providers of an answer, also for the next start.</summary>
        public List<string> Note(Dictionary<string, object> answer)
        {
            var providers = new List<string>(answer.Texts("providers"));
            if (sessions.Own == null) return providers;
            sessions.Own["providers"] = providers;
            sessions.Keep(sessions.Own, null, false);
            return providers;
        }

        private bool IsPaused(string player)
        {
            DateTime until;
            return pauses.TryGetValue(player, out until) && clock.UtcNow < until;
        }

        private bool IsFresh(Dictionary<string, object> session)
        {
            return PlayerSessions.ExpiryOf(session) - Margin > api.UtcNow;
        }

        private async Task<Dictionary<string, object>> Ask(string path, Dictionary<string, object> body)
        {
            var answer = (await api.Call("POST", "/v1/players/" + path, "player_token", Json.Write(body))).ReadObject();
            Absent.Remove(answer.Text("player_id"));
            return answer;
        }

        /// <summary>Makes the parts of the identity that earlier releases did not keep.</summary>
        private void CompleteIdentity()
        {
            if (identity.Text("secret") != null) return;
            if (identity.Text("player_id") == null) identity["player_id"] = Ids.Make();
            identity["device_id"] = Ids.Make();
            identity["secret"] = MakeSecret();
            identityFile.Write(identity);
        }

        private async Task EnterByDevice()
        {
            CompleteIdentity();
            var id = identity.Text("player_id");
            var body = new Dictionary<string, object>(identity) { { "provider", "device" } };
            Dictionary<string, object> answer = null;
            try
            {
                answer = await Ask("login", body);
            }
            catch (OverworldException error)
            {
                // Somebody else has claimed the id (boards show it to everybody), or the game refuses
                // claims.
                if (error.Code != "conflict" && error.Code != "forbidden") throw;
                reports.TellError(error);
            }
            if (answer == null)
            {
                body.Remove("player_id");
                answer = await Ask("login", body);
            }
            sessions.Keep(MakeSession(answer, body, true), id, false);
            TakeDevice(sessions.Find(answer.Text("player_id")));
        }

        private static Dictionary<string, object> MakeSession(Dictionary<string, object> answer, Dictionary<string, object> body, bool isDevice)
        {
            var session = new Dictionary<string, object>(answer) { { "is_device", isDevice } };
            if (isDevice)
            {
                session["device_id"] = body["device_id"];
                session["secret"] = body["secret"];
            }
            return session;
        }

        /// <summary>
        /// Makes the device's identity that of a session. The session has the device's login too, so a kill between the two
        /// writes loses nothing.
        /// </summary>
        private void TakeDevice(Dictionary<string, object> session)
        {
            if (session == null || session.Text("secret") == null) return;
            if (session.Text("secret") == identity.Text("secret") && session.Text("player_id") == identity.Text("player_id")) return;
            foreach (var member in new[] { "player_id", "device_id", "secret" }) identity[member] = session[member];
            identityFile.Write(identity);
        }

        /// <summary>Gets a session of the player from the storage or from the server.</summary>
        private async Task Freshen(string player, bool isRefused)
        {
            var tokenBefore = sessions.TokenOf(player);
            var last = sessions.Reread(player);
            if (last != null && IsFresh(last) && !(isRefused && sessions.TokenOf(player) == tokenBefore)) return;
            OverworldException failure = null;
            var token = last == null ? null : last.Text("refresh_token");
            if (token != null)
            {
                try
                {
                    var answer = await Ask("refresh", new Dictionary<string, object> { { "refresh_token", token } });
                    sessions.Keep(new Dictionary<string, object>(answer) { { "is_device", last.Flag("is_device") } }, null, false);
                    return;
                }
                catch (OverworldException error)
                {
                    if (error.Code != "unauthorized") throw;
                    failure = error;
                }
                // The player may have logged in meanwhile.
                var now = sessions.Find(player);
                if (now == null || now.Text("refresh_token") != token) return;
                // The game must ask the player to log in. Until then, nobody else may play in this player's
                // place.
                last.Remove("refresh_token");
                last.Remove("player_token");
                sessions.Keep(last, null, false);
            }
            var isOfDevice = player == identity.Text("player_id") && (last == null || last.Flag("is_device"));
            if (isOfDevice && isAutomatic && (failure != null || isRefused)) await EnterByDevice();
            else if (failure != null) throw failure;
        }

        /// <summary>Runs one login of a player at a time.</summary>
        private Task Once(string player, Func<Task> run)
        {
            Task last;
            if (running.TryGetValue(player, out last)) return last;
            var task = RunOnce(player, run);
            if (!task.IsCompleted) running[player] = task;
            return task;
        }

        private async Task RunOnce(string player, Func<Task> run)
        {
            try
            {
                await run();
            }
            catch (OverworldException error)
            {
                // A server of an earlier release has no such path.
                var isUnknown = error.Code == "not_found";
                pauses[player] = clock.UtcNow + (isUnknown ? UnknownPause : Pause);
                if (!isUnknown) reports.TellError(error);
            }
            finally
            {
                running.Remove(player);
            }
        }

        /// <summary>256 random bits in hexadecimal.</summary>
        private static string MakeSecret()
        {
            var bytes = new byte[32];
            using (var random = RandomNumberGenerator.Create()) random.GetBytes(bytes);
            return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
        }
    }
}
