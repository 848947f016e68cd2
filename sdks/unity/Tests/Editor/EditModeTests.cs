using NUnit.Framework;
using UnityEngine;

namespace OverworldSdk.Tests
{
    /// <summary>Tests that Unity runs in its editor, without playing.</summary>
    public sealed class EditModeTests
    {
        [Test]
        public void SettingsBecomeOptions()
        {
            var settings = ScriptableObject.CreateInstance<OverworldSettings>();
            var options = settings.ToOptions();
            Assert.AreEqual("http://127.0.0.1:8080", options.BaseUrl);
            Assert.AreEqual("", options.ApiKey);
            Assert.IsTrue(options.TrackingEnabled);
            Object.DestroyImmediate(settings);
        }

        [Test]
        public void JsonKeepsWholeNumbersAndTexts()
        {
            const string text = "{\"id\":9007199254740993,\"name\":\"Juno \\u0000\"}";
            Assert.AreEqual(text, Json.Write(Json.Parse(text)));
        }

        [Test]
        public void TheLinkFileIsWhereTheBuildLooksForIt()
        {
            Assert.IsTrue(System.IO.File.Exists(System.IO.Path.GetFullPath("Packages/com.overworld.sdk/Runtime/link.xml")));
        }
    }
}
