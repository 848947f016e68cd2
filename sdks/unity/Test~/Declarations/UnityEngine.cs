// Declarations of the parts of Unity that the package uses, so that its engine layer can be compiled
// without Unity. ../unity-reference.md says against what each was checked.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
#pragma warning disable 660, 661 // The operators come without Equals and GetHashCode, which nothing here calls.
    public class Object
    {
        public static bool operator ==(Object x, Object y) { return ReferenceEquals(x, y); }
        public static bool operator !=(Object x, Object y) { return !ReferenceEquals(x, y); }
        public static void DestroyImmediate(Object obj) { }
        public static void DontDestroyOnLoad(Object target) { }
    }
#pragma warning restore 660, 661

    public class Component : Object { }

    public class MonoBehaviour : Component { }

    public sealed class GameObject : Object
    {
        public GameObject(string name) { }
        public static GameObject Find(string name) { return null; }
        public T AddComponent<T>() where T : Component { return null; }
        public T GetComponent<T>() { return default(T); }
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject { return null; }
    }

    public sealed class Resources
    {
        public static T Load<T>(string path) where T : Object { return null; }
    }

    public enum RuntimeInitializeLoadType { AfterSceneLoad, BeforeSceneLoad }

    [AttributeUsage(AttributeTargets.Method)]
    public class RuntimeInitializeOnLoadMethodAttribute : Attribute
    {
        public RuntimeInitializeOnLoadMethodAttribute(RuntimeInitializeLoadType loadType) { }
    }

    public class GUIContent
    {
        public GUIContent(string text) { }
    }

    public sealed class GUILayoutOption { }

    public class GUILayout
    {
        public static bool Button(string text, params GUILayoutOption[] options) { return false; }
    }

    public sealed class SerializeField : Attribute { }

    [AttributeUsage(AttributeTargets.Field)]
    public class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string tooltip) { }
    }

    public sealed class AddComponentMenu : Attribute
    {
        public AddComponentMenu(string menuName) { }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public class DefaultExecutionOrder : Attribute
    {
        public DefaultExecutionOrder(int order) { }
    }

    public enum NetworkReachability { NotReachable, ReachableViaCarrierDataNetwork, ReachableViaLocalAreaNetwork }

    public struct Vector2 { public float x, y; }

    public struct Vector3 { public float x, y, z; }

    public struct Vector2Int { public int x { get; set; } public int y { get; set; } }

    public struct Vector3Int { public int x { get; set; } public int y { get; set; } public int z { get; set; } }

    public struct Color { }

    public class ColorUtility
    {
        public static string ToHtmlStringRGBA(Color color) { return null; }
    }

    public enum RuntimePlatform { OSXEditor, OSXPlayer, WindowsPlayer, WindowsEditor, IPhonePlayer, Android, LinuxPlayer, LinuxEditor, WebGLPlayer, LinuxServer, WindowsServer, OSXServer }

    public class Application
    {
        public static string persistentDataPath { get { return null; } }
        public static string companyName { get { return null; } }
        public static string productName { get { return null; } }
        public static string version { get { return null; } }
        public static RuntimePlatform platform { get { return 0; } }
        public static NetworkReachability internetReachability { get { return 0; } }
    }

    public class Time
    {
        public static double realtimeSinceStartupAsDouble { get { return 0; } }
    }

    public class Debug
    {
        public static bool isDebugBuild { get { return false; } }
        public static void Log(object message) { }
        public static void LogWarning(object message) { }
        public static void LogException(Exception exception) { }
    }

    public class AsyncOperation
    {
        public event Action<AsyncOperation> completed { add { } remove { } }
    }
}

namespace UnityEngine.SceneManagement
{
    public struct Scene { }

    public class SceneManager
    {
        public static Scene CreateScene(string sceneName) { return default(Scene); }
        public static bool SetActiveScene(Scene scene) { return false; }
        public static Scene GetActiveScene() { return default(Scene); }
        public static AsyncOperation UnloadSceneAsync(Scene scene) { return null; }
    }
}

namespace UnityEngine.Scripting
{
    [AttributeUsage(AttributeTargets.Assembly)]
    public class AlwaysLinkAssemblyAttribute : Attribute { }
}

namespace UnityEngine.Networking
{
    public class DownloadHandler
    {
        public string text { get { return null; } }
    }

    public sealed class DownloadHandlerBuffer : DownloadHandler { }

    public class UploadHandler { }

    public sealed class UploadHandlerRaw : UploadHandler
    {
        public UploadHandlerRaw(byte[] data) { }
    }

    public class UnityWebRequestAsyncOperation : AsyncOperation { }

    public class UnityWebRequest : IDisposable
    {
        public enum Result { InProgress, Success, ConnectionError, ProtocolError, DataProcessingError }

        public UnityWebRequest(string url, string method) { }
        public DownloadHandler downloadHandler { get; set; }
        public UploadHandler uploadHandler { get; set; }
        public int timeout { get; set; }
        public int redirectLimit { get; set; }
        public Result result { get { return 0; } }
        public long responseCode { get { return 0; } }
        public string error { get { return null; } }
        public void SetRequestHeader(string name, string value) { }
        public Dictionary<string, string> GetResponseHeaders() { return null; }
        public UnityWebRequestAsyncOperation SendWebRequest() { return null; }
        public void Dispose() { }
    }
}
