using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>A login of the player.</summary>
    public sealed class PlayerLogin
    {
        public string PlayerId;
        /// <summary>True if this login made the player or claimed it.</summary>
        public bool Created;
        /// <summary>The providers with which the player can log in.</summary>
        public List<string> Providers;
    }

    /// <summary>The login of the player. The anonymous player logs in by itself, with a secret of this device.</summary>
    public sealed class Account
    {
        private const string LinkPath = "/v1/players/link";
        private readonly ApiClient api;
        private readonly Player player;
        private readonly Logins logins;
        private readonly Func<string, Func<Task>, Task> erase;

        /// <param name="erase">Runs a function that erases a player, while nothing else is sent of the player, and then drops what waits of the player.</param>
        internal Account(ApiClient api, Player player, Logins logins, Func<string, Func<Task>, Task> erase)
        {
            this.api = api;
            this.player = player;
            this.logins = logins;
            this.erase = erase;
        }

        /// <summary>True if calls carry a token of the present player.</summary>
        public bool IsLoggedIn { get { return logins.IsLoggedIn && player.Id == logins.PlayerId; } }

        /// <summary>The providers with which the player can log in, as far as it is known.</summary>
        public IList<string> Providers { get { return logins.Providers; } }

        /// <summary>
        /// Logs in as the player of a provider: `custom` (`token`), `steam` (`ticket`), or an OpenID Connect
        /// issuer of the game (`id_token`, `nonce`). To keep the present player instead, <see cref="Link"/> it.
        /// Each token and ticket works once. The issuer gets the SHA-256 of the nonce, in hexadecimal digits or
        /// base64url; here the nonce is plain.
        /// </summary>
        /// <exception cref="OverworldException">`unauthorized`: the proof is wrong or expired. `not_found`: the game has no such provider.</exception>
        public async Task<PlayerLogin> LoginWith(string provider, IDictionary<string, string> credentials)
        {
            await player.Get();
            return Take(await logins.Enter("login", Describe(provider, credentials), false));
        }

        /// <summary>Ends the session; the anonymous player of this device plays on.</summary>
        /// <exception cref="OverworldException"/>
        public Task Logout()
        {
            player.Given = null;
            return logins.Leave();
        }

        /// <summary>Adds a provider to the present player. Returns all providers of the player.</summary>
        /// <exception cref="OverworldException">`conflict`: the login belongs to another player; <see cref="LoginWith"/> plays as that player.</exception>
        public async Task<List<string>> Link(string provider, IDictionary<string, string> credentials)
        {
            var id = await player.Get();
            var answer = await api.Call("POST", LinkPath, "providers", Json.Write(Describe(provider, credentials)), player: id);
            return logins.Note(answer.ReadObject());
        }

        /// <summary>Removes a provider from the present player; the last one cannot be removed. Returns the others.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<List<string>> Unlink(string provider)
        {
            var id = await player.Get();
            var answer = await api.Call("DELETE", LinkPath + "?provider=" + Uri.EscapeDataString(provider), "providers", player: id);
            return logins.Note(answer.ReadObject());
        }

        /// <summary>A code such as K7PM-2XQD-9RTA, of twelve letters and digits. With it another device can join this player within ten minutes.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<string> CreateMoveCode()
        {
            var id = await player.Get();
            return (await api.Call("POST", "/v1/players/move-code", "code", "{}", null, Retry.Refused, id)).ReadObject().Text("code");
        }

        /// <summary>Joins this device to the player who made the code. The anonymous player of this device is given up.</summary>
        /// <param name="code">As the player types it: upper or lower case, with or without dashes and spaces.</param>
        /// <exception cref="OverworldException">`not_found`: the code is wrong or has expired.</exception>
        public async Task<PlayerLogin> MoveHere(string code)
        {
            await player.Get();
            return Take(await logins.Move(code));
        }

        /// <summary>
        /// The player token of the present player, for a server of yours that must know who this client is. It is valid for up to
        /// an hour. That server verifies it with a server key.
        /// </summary>
        /// <exception cref="OverworldException">`unauthorized`: the player has not logged in.</exception>
        public async Task<string> GetPlayerToken()
        {
            api.RequireEnabled();
            var token = await logins.TokenOf(await player.Get());
            if (token == null) throw new OverworldException("unauthorized", "The player has not logged in");
            return token;
        }

        /// <summary>All data of the present player. Needs a login of the last five minutes, like <see cref="ErasePlayer"/>.</summary>
        /// <exception cref="OverworldException"/>
        public async Task<Dictionary<string, object>> ExportData()
        {
            return (await CallAnew("GET", "export", "player")).ReadObject();
        }

        /// <summary>
        /// Erases the present player with all data, on the server and on this device; the game goes on as a new anonymous player.
        /// This cannot be undone. The anonymous player of this device is logged in again by itself. A player of a provider must
        /// have called <see cref="LoginWith"/> in the last five minutes. Calls that are made meanwhile fail with `not_found`.
        /// </summary>
        /// <exception cref="OverworldException">`forbidden`: that login is older, or was added to the player less than 24 hours ago. Nothing is erased.</exception>
        public async Task ErasePlayer()
        {
            api.RequireEnabled();
            var id = await player.Get();
            await erase(id, async () =>
            {
                try
                {
                    await CallAnew("POST", "erase", null);
                }
                catch (OverworldException error)
                {
                    // After a lost answer, the repeated call finds no player any more.
                    if (error.Body.Text("error") != "Player not found") throw;
                }
                player.Given = null;
                logins.Forget(id);
            });
        }

        /// <summary>Makes a call that needs a new login.</summary>
        private async Task<HttpAnswer> CallAnew(string method, string call, string gives)
        {
            api.RequireEnabled();
            var id = await player.Get();
            await logins.EnterAgain();
            return await api.Call(method, "/v1/players/" + Uri.EscapeDataString(id) + "/" + call, gives, player: id, isLong: true);
        }

        private PlayerLogin Take(Dictionary<string, object> answer)
        {
            player.Given = null;
            return new PlayerLogin
            {
                PlayerId = answer.Text("player_id"),
                Created = answer.Flag("created"),
                Providers = answer.Texts("providers"),
            };
        }

        private static Dictionary<string, object> Describe(string provider, IDictionary<string, string> credentials)
        {
            var body = new Dictionary<string, object> { { "provider", provider } };
            foreach (var member in credentials) body[member.Key] = member.Value;
            return body;
        }
    }
}
