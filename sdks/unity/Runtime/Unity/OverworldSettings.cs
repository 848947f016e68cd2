using UnityEngine;

namespace OverworldSdk
{
    /// <summary>The server and the keys of a game, set in *Project Settings → Overworld*.</summary>
    public sealed class OverworldSettings : ScriptableObject
    {
        /// <summary>Name of the asset in a folder `Resources`.</summary>
        public const string ResourceName = "OverworldSettings";

        [SerializeField, Tooltip("Address of the server, such as https://play.example.com")]
        private string baseUrl = "http://127.0.0.1:8080";
        [SerializeField, Tooltip("For the editor and development builds: begins with ow_dev_")]
        private string developmentKey = "";
        [SerializeField, Tooltip("For all other builds: begins with ow_live_")]
        private string productionKey = "";
        [SerializeField, Tooltip("Makes OverworldBehaviour.Client before the first scene")]
        private bool connectAtStart = true;
        [SerializeField, Tooltip("Off until the player agrees to be tracked: then set Client.TrackingEnabled")]
        private bool trackingEnabled = true;

        public string BaseUrl { get { return baseUrl; } }
        public bool ConnectAtStart { get { return connectAtStart; } }
        public bool TrackingEnabled { get { return trackingEnabled; } }

        /// <summary>The key of this build: the development key in the editor and in development builds.</summary>
        public string ApiKey { get { return Debug.isDebugBuild ? developmentKey : productionKey; } }

        /// <summary>The settings as options for `OverworldBehaviour.Connect`, to which a game may add others.</summary>
        public OverworldOptions ToOptions()
        {
            return new OverworldOptions { BaseUrl = BaseUrl, ApiKey = ApiKey, TrackingEnabled = TrackingEnabled };
        }

        /// <summary>The settings of the game; null if it has none.</summary>
        public static OverworldSettings Load()
        {
            return Resources.Load<OverworldSettings>(ResourceName);
        }
    }
}
