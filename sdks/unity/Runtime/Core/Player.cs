using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>The present player.</summary>
    internal sealed class Player
    {
        private readonly Logins logins;

        public Player(string given, Logins logins)
        {
            Given = string.IsNullOrEmpty(given) ? null : given;
            this.logins = logins;
        }

        /// <summary>The id that the game has given; null without.</summary>
        public string Given { get; set; }

        public string Id { get { return Given ?? logins.PlayerId; } }

        /// <summary>Id of the player at the time of the call. The anonymous player logs in first.</summary>
        public async Task<string> Get()
        {
            var given = Given;
            if (given != null) return given;
            await logins.LogInByDevice();
            logins.Look();
            return logins.PlayerId;
        }
    }
}
