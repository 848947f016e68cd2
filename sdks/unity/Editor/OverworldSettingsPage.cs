using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;

namespace OverworldSdk.Editor
{
    /// <summary>The page *Project Settings → Overworld*.</summary>
    internal sealed class OverworldSettingsPage : SettingsProvider
    {
        private const string Folder = "Assets/Resources";
        private const string AssetPath = Folder + "/" + OverworldSettings.ResourceName + ".asset";
        private static readonly string[] Words = { "Overworld", "server", "address", "API key", "analytics", "cloud save", "leaderboard" };

        /// <summary>Outcomes of the tests of connections, by key.</summary>
        private readonly Dictionary<string, string> outcomes = new Dictionary<string, string>();
        private SerializedObject settings;

        private OverworldSettingsPage() : base("Project/Overworld", SettingsScope.Project, Words)
        {
        }

        [SettingsProvider]
        public static SettingsProvider Create()
        {
            return new OverworldSettingsPage();
        }

        public override void OnGUI(string searchContext)
        {
            if (settings == null || settings.targetObject == null) settings = Find();
            if (settings == null)
            {
                EditorGUILayout.HelpBox("This project has no settings for Overworld yet.", MessageType.Info);
                if (GUILayout.Button("Create settings")) settings = Make();
                return;
            }
            settings.Update();
            EditorGUILayout.PropertyField(settings.FindProperty("baseUrl"), new GUIContent("Address"));
            DrawKey("developmentKey", "Development key", "ow_dev_");
            DrawKey("productionKey", "Production key", "ow_live_");
            EditorGUILayout.PropertyField(settings.FindProperty("connectAtStart"));
            EditorGUILayout.PropertyField(settings.FindProperty("trackingEnabled"));
            if (settings.ApplyModifiedProperties()) outcomes.Clear();
            EditorGUILayout.HelpBox("Keys are made in the dashboard, under API Keys. Every copy of the game contains its key, so it is no secret.", MessageType.None);
        }

        private void DrawKey(string name, string label, string prefix)
        {
            var property = settings.FindProperty(name);
            EditorGUILayout.PropertyField(property, new GUIContent(label));
            var key = property.stringValue;
            if (key == "") return;
            if (!key.StartsWith(prefix, System.StringComparison.Ordinal))
            {
                EditorGUILayout.HelpBox("A " + label.ToLowerInvariant() + " begins with " + prefix, MessageType.Error);
                return;
            }
            string outcome;
            var isTested = outcomes.TryGetValue(key, out outcome);
            if (isTested) EditorGUILayout.HelpBox(outcome ?? "Connected: the server takes this key.", outcome == null ? MessageType.Info : MessageType.Warning);
            if (GUILayout.Button("Test the connection")) Test(key);
        }

        private async void Test(string key)
        {
            outcomes[key] = "Waiting for the server…";
            outcomes[key] = await ConnectionCheck.FindProblem(new UnityTransport(), settings.FindProperty("baseUrl").stringValue, key);
            Repaint();
        }

        private static SerializedObject Find()
        {
            var asset = OverworldSettings.Load();
            return asset == null ? null : new SerializedObject(asset);
        }

        private static SerializedObject Make()
        {
            Directory.CreateDirectory(Folder);
            var asset = ScriptableObject.CreateInstance<OverworldSettings>();
            AssetDatabase.CreateAsset(asset, AssetPath);
            AssetDatabase.SaveAssets();
            return new SerializedObject(asset);
        }
    }
}
