using System;
using UnityEngine;

namespace OverworldSdk
{
    /// <summary>The options that Unity knows by itself.</summary>
    internal static class UnityOptions
    {
        /// <summary>Fills in the options that the game has left out.</summary>
        /// <exception cref="ArgumentException">The key is a server key.</exception>
        public static OverworldOptions Complete(OverworldOptions options)
        {
#if !UNITY_SERVER
            if (options.ApiKey != null && options.ApiKey.StartsWith("ow_srv_", StringComparison.Ordinal)) throw new ArgumentException("A server key must not be in a game");
#endif
            UnityForms.Set();
            options.Log = options.Log ?? Debug.LogWarning;
            options.Storage = options.Storage ?? MakeStorage(options);
            options.Transport = options.Transport ?? new UnityTransport();
            options.AppVersion = options.AppVersion ?? Application.version;
            options.Platform = options.Platform ?? DescribePlatform();
            return options;
        }

        private static IStorage MakeStorage(OverworldOptions options)
        {
            var firstKey = string.IsNullOrEmpty(options.FirstApiKey) ? options.ApiKey : options.FirstApiKey;
            var files = FileStorage.For(Application.persistentDataPath, firstKey);
            if (Application.platform != RuntimePlatform.WebGLPlayer) return files;
            var game = options.StoreName ?? Application.companyName + "/" + Application.productName;
            var isDevelopment = firstKey.StartsWith("ow_dev_", StringComparison.Ordinal);
            return new WebStorage("overworld:" + game + ":" + (isDevelopment ? "development:" : "production:"), files);
        }

        /// <summary>The platform in the words of all SDKs.</summary>
        private static string DescribePlatform()
        {
            switch (Application.platform)
            {
                case RuntimePlatform.WindowsPlayer:
                case RuntimePlatform.WindowsServer:
                case RuntimePlatform.WindowsEditor: return "windows";
                case RuntimePlatform.OSXPlayer:
                case RuntimePlatform.OSXServer:
                case RuntimePlatform.OSXEditor: return "macos";
                case RuntimePlatform.LinuxPlayer:
                case RuntimePlatform.LinuxServer:
                case RuntimePlatform.LinuxEditor: return "linux";
                case RuntimePlatform.Android: return "android";
                case RuntimePlatform.IPhonePlayer: return "ios";
                case RuntimePlatform.WebGLPlayer: return "web";
                default: return Application.platform.ToString().ToLowerInvariant();
            }
        }
    }
}
