using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Logs the anonymous player in by the secret of the device, and keeps the session fresh.</summary>
    internal sealed class Logins
    {
        /// <summary>A token is renewed this long before its end, so that it does not expire on its way.</summary>
        private static readonly TimeSpan Margin = TimeSpan.FromMinutes(1);
        private static readonly TimeSpan Pause = TimeSpan.FromSeconds(30);
        private readonly ApiClient api;
        private readonly Clock clock;
        private readonly EventReports reports;
        private readonly StateFile identityFile;
        private readonly StateFile sessionFile;
        private readonly bool isAutomatic;
        private Dictionary<string, object> identity = new Dictionary<string, object>();
        /// <summary>The last answer to a login, with `is_device`. Null without a login; without `refresh_token` after its end.</summary>
        private Dictionary<string, object> session;
        private Task running;
        private DateTime pauseUntil = DateTime.MinValue;

        public Logins(ApiClient api, Clock clock, EventReports reports, IStorage storage, bool isAutomatic)
        {
            this.api = api;
            this.clock = clock;
            this.reports = reports;
            this.isAutomatic = isAutomatic;
            identityFile = new StateFile(storage, "player");
            sessionFile = new StateFile(storage, "login");
        }

        /// <summary>Reads the identity and the session of an earlier start.</summary>
        public void Open()
        {
            identity = identityFile.Read();
            var kept = sessionFile.Read();
            session = kept.Text("player_id") == null ? null : kept;
        }

        /// <summary>Id of the player who has logged in, or of the anonymous player; empty until the anonymous player may be made.</summary>
        public string PlayerId
        {
            get
            {
                if (session != null) return session.Text("player_id");
                if (api.IsEnabled) CompleteIdentity();
                return identity.Text("player_id") ?? "";
            }
        }

        public bool IsLoggedIn { get { return session != null && session.Text("refresh_token") != null; } }
        public List<string> Providers { get { return session == null ? new List<string>() : session.Texts("providers"); } }

        /// <summary>Logs the anonymous player in, unless another player plays. Never throws.</summary>
        public Task LogInByDevice()
        {
            if (running != null) return running;
            if (session != null || !isAutomatic || !api.IsEnabled || IsPaused) return Task.FromResult(true);
            return Once(EnterByDevice);
        }

        /// <summary>The token for a call about a player; null if this player has not logged in.</summary>
        public async Task<string> TokenOf(string player)
        {
            if (!IsLoggedIn || session.Text("player_id") != player) return null;
            var expiresAt = session.Moment("expires_at") ?? DateTime.MaxValue;
            if (expiresAt - Margin <= api.UtcNow && !IsPaused) await Once(Refresh);
            return session == null ? null : session.Text("player_token");
        }

        /// <summary>Another token than this one; null if there is none.</summary>
        public async Task<string> Renew(string player, string token)
        {
            if (player != PlayerId) return null;
            var mayEnter = session == null ? isAutomatic : IsLoggedIn;
            var isLast = (session == null ? null : session.Text("player_token")) == token;
            if (mayEnter && isLast && !IsPaused) await Once(session == null ? (Func<Task>)EnterByDevice : Refresh);
            var next = session == null || session.Text("player_id") != player ? null : session.Text("player_token");
            return next == token ? null : next;
        }

        /// <summary>Logs in by a call of the API.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<Dictionary<string, object>> Enter(string path, Dictionary<string, object> body, bool isDevice)
        {
            var answer = (await api.Call("POST", "/v1/players/" + path, Json.Write(body))).ReadObject();
            Set(new Dictionary<string, object>(answer) { { "is_device", isDevice } });
            if (isDevice && identity.Text("player_id") != answer.Text("player_id"))
            {
                identity["player_id"] = answer.Text("player_id");
                identityFile.Write(identity);
            }
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
            identity["device_id"] = device["device_id"];
            identity["secret"] = device["secret"];
            identityFile.Write(identity);
            return answer;
        }

        /// <exception cref="OverworldException"/>
        public async Task Leave()
        {
            api.RequireEnabled();
            var token = session == null ? null : session.Text("refresh_token");
            Set(null);
            if (token == null) return;
            await api.Call("POST", "/v1/players/logout", Json.Write(new Dictionary<string, object> { { "refresh_token", token } }));
        }

        /// <summary>Takes over the providers of an answer, also for the next start.</summary>
        public List<string> Note(Dictionary<string, object> answer)
        {
            var providers = new List<string>(answer.Texts("providers"));
            if (session != null)
            {
                session["providers"] = providers;
                Set(session);
            }
            return providers;
        }

        private bool IsPaused { get { return clock.UtcNow < pauseUntil; } }

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
            var body = new Dictionary<string, object>(identity) { { "provider", "device" } };
            try
            {
                await Enter("login", body, true);
            }
            catch (OverworldException error)
            {
                // Somebody else has claimed the id (boards show it to everybody), or the game refuses
                // claims.
                if (error.Code != "conflict" && error.Code != "forbidden") throw;
                reports.TellError(error);
            }
            if (session != null) return;
            body.Remove("player_id");
            await Enter("login", body, true);
        }

        private async Task Refresh()
        {
            var isDevice = session.Flag("is_device");
            try
            {
                var body = new Dictionary<string, object> { { "refresh_token", session.Text("refresh_token") } };
                await Enter("refresh", body, isDevice);
                return;
            }
            catch (OverworldException error)
            {
                if (error.Code != "unauthorized") throw;
                if (!isDevice)
                {
                    // The game must ask the player to log in. Until then, nobody else may play in this
                    // player's place.
                    session.Remove("refresh_token");
                    session.Remove("player_token");
                    Set(session);
                    throw;
                }
            }
            Set(null);
            await EnterByDevice();
        }

        /// <summary>Runs one login at a time.</summary>
        private Task Once(Func<Task> run)
        {
            if (running != null) return running;
            var task = RunOnce(run);
            if (!task.IsCompleted) running = task;
            return task;
        }

        private async Task RunOnce(Func<Task> run)
        {
            try
            {
                await run();
            }
            catch (OverworldException error)
            {
                // A server of an earlier release has no such path.
                var isUnknown = error.Code == "not_found";
                pauseUntil = isUnknown ? DateTime.MaxValue : clock.UtcNow + Pause;
                if (!isUnknown) reports.TellError(error);
            }
            finally
            {
                running = null;
            }
        }

        private void Set(Dictionary<string, object> next)
        {
            session = next;
            if (next == null) sessionFile.Delete();
            else sessionFile.Write(next);
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
