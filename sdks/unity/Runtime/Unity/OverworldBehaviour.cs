using System;
using UnityEngine;

namespace OverworldSdk
{
    /// <summary>
    /// Makes the client of a game. Fill in *Project Settings → Overworld*, or put this on an object of the
    /// first scene and fill in its fields, or call <see cref="Connect(OverworldOptions)"/>; then use
    /// <see cref="Client"/> from anywhere. The client lives on an object of its own across all scenes, and
    /// this object stays as it is.
    /// </summary>
    [DefaultExecutionOrder(-1000)]
    public sealed class OverworldBehaviour : MonoBehaviour
    {
        [SerializeField, Tooltip("Address of the server, such as https://play.example.com")]
        private string baseUrl = "";
        [SerializeField, Tooltip("An API key of the game, made in the dashboard")]
        private string apiKey = "";
        [SerializeField, Tooltip("After the key was rotated: the one that the game was first shipped with")]
        private string firstApiKey = "";
        [SerializeField, Tooltip("Off until the player agrees to be tracked: then set Client.TrackingEnabled")]
        private bool trackingEnabled = true;

        private static OverworldRunner runner;

        /// <summary>The client; null before it is made.</summary>
        public static OverworldClient Client { get { return runner == null ? null : runner.Client; } }

        /// <summary>Makes the client in code. Later calls return the first client.</summary>
        /// <param name="playerId">Id of the player; without it an anonymous player is made and kept on this device.</param>
        /// <param name="firstApiKey">After a key rotation, the key of the game's first release, under which the device keeps the anonymous player and waiting events.</param>
        /// <param name="trackingEnabled">False until the player agrees to be tracked; then set <see cref="OverworldClient.TrackingEnabled"/>.</param>
        /// <exception cref="ArgumentException">The address or the key cannot be right.</exception>
        public static OverworldClient Connect(string baseUrl, string apiKey, string playerId = null, string firstApiKey = null, bool trackingEnabled = true)
        {
            return Connect(new OverworldOptions
            {
                BaseUrl = baseUrl,
                ApiKey = apiKey,
                PlayerId = playerId,
                FirstApiKey = firstApiKey,
                TrackingEnabled = trackingEnabled,
            });
        }

        /// <summary>
        /// Makes the client with any options. Options that are left out, such as `Storage`, `Transport`, `AppVersion`
        /// and `Platform`, are those of Unity. Later calls return the first client.
        /// </summary>
        /// <exception cref="ArgumentException">The address or the key cannot be right.</exception>
        public static OverworldClient Connect(OverworldOptions options)
        {
            if (Client == null) runner = OverworldRunner.Make(new OverworldClient(UnityOptions.Complete(options)));
            return Client;
        }

        /// <summary>Makes the client by *Project Settings → Overworld*, before the first scene if they say so. Later calls return the first client.</summary>
        /// <exception cref="ArgumentException">The address or the key of this build cannot be right, or there are no settings.</exception>
        public static OverworldClient ConnectBySettings(string playerId = null)
        {
            var settings = OverworldSettings.Load();
            if (settings == null) throw new ArgumentException("There are no settings: see Project Settings, Overworld");
            var options = settings.ToOptions();
            options.PlayerId = playerId;
            return Connect(options);
        }

        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.BeforeSceneLoad)]
        private static void ConnectAtStart()
        {
            var settings = OverworldSettings.Load();
            if (settings != null && settings.ConnectAtStart) ConnectBySettings();
        }

        private void Awake()
        {
            if (baseUrl != "" || apiKey != "") Connect(baseUrl, apiKey, null, firstApiKey, trackingEnabled);
        }
    }
}
