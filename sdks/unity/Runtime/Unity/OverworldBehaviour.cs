using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using UnityEngine;

namespace Overworld
{
    /// <summary>
    /// Keeps a client alive across all scenes. Fill in *Project Settings → Overworld*, or put this on an
    /// object of the first scene and fill in its fields, or call <see cref="Connect"/>; then use
    /// <see cref="Client"/> from anywhere.
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

        private static OverworldBehaviour current;
        private OverworldClient client;
        /// <summary>Null outside of browsers.</summary>
        private WebStorage webStorage;

        /// <summary>The client; null before it is made.</summary>
        public static OverworldClient Client { get { return current == null ? null : current.client; } }

        /// <summary>Makes the client in code. Later calls return the first client.</summary>
        /// <param name="playerId">Id of the player; without it an anonymous player is made and kept on this device.</param>
        /// <param name="firstApiKey">After a key rotation, the key of the game's first release, under which the device keeps the anonymous player and waiting events.</param>
        /// <param name="trackingEnabled">False until the player agrees to be tracked; then set <see cref="OverworldClient.TrackingEnabled"/>.</param>
        /// <exception cref="ArgumentException">The address or the key cannot be right.</exception>
        public static OverworldClient Connect(string baseUrl, string apiKey, string playerId = null, string firstApiKey = null, bool trackingEnabled = true)
        {
            if (current == null) new GameObject("Overworld").AddComponent<OverworldBehaviour>();
            if (current.client == null) current.Open(baseUrl, apiKey, firstApiKey, playerId, trackingEnabled);
            return current.client;
        }

        /// <summary>Makes the client by *Project Settings → Overworld*, before the first scene if they say so. Later calls return the first client.</summary>
        /// <exception cref="ArgumentException">The address or the key of this build cannot be right, or there are no settings.</exception>
        public static OverworldClient ConnectBySettings(string playerId = null)
        {
            var settings = OverworldSettings.Load();
            if (settings == null) throw new ArgumentException("There are no settings: see Project Settings, Overworld");
            return Connect(settings.BaseUrl, settings.ApiKey, playerId, null, settings.TrackingEnabled);
        }

        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.BeforeSceneLoad)]
        private static void ConnectAtStart()
        {
            var settings = OverworldSettings.Load();
            if (settings != null && settings.ConnectAtStart) ConnectBySettings();
        }

        private void Awake()
        {
            if (current != null)
            {
                Destroy(gameObject);
                return;
            }
            current = this;
            DontDestroyOnLoad(gameObject);
            if (baseUrl != "" || apiKey != "") Open(baseUrl, apiKey, firstApiKey, null, trackingEnabled);
        }

        private void Open(string url, string key, string firstKey, string playerId, bool isTracked)
        {
#if !UNITY_SERVER
            if (key != null && key.StartsWith("ow_srv_", StringComparison.Ordinal)) throw new ArgumentException("A server key must not be in a game");
#endif
            UnityForms.Set();
            IStorage storage = FileStorage.For(Application.persistentDataPath, string.IsNullOrEmpty(firstKey) ? key : firstKey);
            if (Application.platform == RuntimePlatform.WebGLPlayer) storage = webStorage = new WebStorage(storage);
            client = new OverworldClient(new OverworldOptions
            {
                BaseUrl = url,
                ApiKey = key,
                PlayerId = playerId,
                TrackingEnabled = isTracked,
                Log = Debug.LogWarning,
                Storage = storage,
                Transport = new UnityTransport(),
                AppVersion = Application.version,
                Platform = DescribePlatform(),
            });
        }

        /// <summary>The platform in the words of all SDKs.</summary>
        private static string DescribePlatform()
        {
            switch (Application.platform)
            {
                case RuntimePlatform.WindowsPlayer:
                case RuntimePlatform.WindowsEditor: return "windows";
                case RuntimePlatform.OSXPlayer:
                case RuntimePlatform.OSXEditor: return "macos";
                case RuntimePlatform.LinuxPlayer:
                case RuntimePlatform.LinuxEditor: return "linux";
                case RuntimePlatform.Android: return "android";
                case RuntimePlatform.IPhonePlayer: return "ios";
                case RuntimePlatform.WebGLPlayer: return "web";
                default: return Application.platform.ToString().ToLowerInvariant();
            }
        }

        private void Update()
        {
            if (client != null) client.Tick();
            if (webStorage != null) webStorage.Tick();
        }

        /// <summary>A page in the background gets no frames, and may be closed.</summary>
        private void OnApplicationFocus(bool hasFocus)
        {
            if (webStorage != null && !hasFocus) webStorage.Copy();
        }

        /// <summary>A phone may end a game in the background without notice.</summary>
        private void OnApplicationPause(bool isPaused)
        {
            if (client != null && isPaused) Forget(client.Flush());
        }

        /// <summary>The process ends with this frame: `session_end` is kept, and sent after the next start.</summary>
        private void OnApplicationQuit()
        {
            if (client != null) Forget(client.Close());
        }

        /// <summary>`OnError` reports errors, and unsent events stay in the storage.</summary>
        private static void Forget(Task task)
        {
            task.ContinueWith(ended => Debug.LogException(ended.Exception), TaskContinuationOptions.OnlyOnFaulted);
        }
    }
}
