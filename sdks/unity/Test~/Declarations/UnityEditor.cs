// Declarations of the parts of Unity's editor that the package uses. ../unity-reference.md says against
// what each was checked.
using System;
using System.Collections.Generic;
using UnityEngine;

namespace UnityEditor
{
    public enum SettingsScope { User, Project }

    public enum MessageType { None, Info, Warning, Error }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class SettingsProviderAttribute : Attribute { }

    public class SettingsProvider
    {
        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null) { }
        public virtual void OnGUI(string searchContext) { }
        public void Repaint() { }
    }

    public class SerializedProperty
    {
        public string stringValue { get; set; }
    }

    public class SerializedObject
    {
        public SerializedObject(UnityEngine.Object obj) { }
        public UnityEngine.Object targetObject { get { return null; } }
        public void Update() { }
        public SerializedProperty FindProperty(string propertyPath) { return null; }
        public bool ApplyModifiedProperties() { return false; }
    }

    public sealed class EditorGUILayout
    {
        public static void HelpBox(string message, MessageType type) { }
        public static bool PropertyField(SerializedProperty property, params GUILayoutOption[] options) { return false; }
        public static bool PropertyField(SerializedProperty property, GUIContent label, params GUILayoutOption[] options) { return false; }
    }

    public sealed class AssetDatabase
    {
        public static void CreateAsset(UnityEngine.Object asset, string path) { }
        public static void SaveAssets() { }
    }
}

namespace UnityEditor.Build
{
    public interface IOrderedCallback
    {
        int callbackOrder { get; }
    }

    public interface IUnityLinkerProcessor : IOrderedCallback
    {
        string GenerateAdditionalLinkXmlFile(Reporting.BuildReport report, UnityLinker.UnityLinkerBuildPipelineData data);
    }
}

namespace UnityEditor.Build.Reporting
{
    public sealed class BuildReport : UnityEngine.Object { }
}

namespace UnityEditor.UnityLinker
{
    public sealed class UnityLinkerBuildPipelineData { }
}
