using System.Collections;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.SceneManagement;
using UnityEngine.TestTools;

namespace OverworldSdk.Tests
{
    /// <summary>Tests that Unity runs while it plays. They need no server.</summary>
    public sealed class PlayModeTests
    {
        private static OverworldOptions Nowhere()
        {
            return new OverworldOptions
            {
                BaseUrl = "http://127.0.0.1:1",
                ApiKey = "ow_dev_test",
                PlayerId = "p-1",
                Storage = new MemoryStorage(),
                AppVersion = "9.9",
            };
        }

        [TearDown]
        public void Forget()
        {
            var keeper = GameObject.Find("Overworld");
            if (keeper != null) Object.DestroyImmediate(keeper);
        }

        [UnityTest]
        public IEnumerator EveryOptionReachesTheClient()
        {
            var options = Nowhere();
            var client = OverworldBehaviour.Connect(options);
            yield return null;
            Assert.AreEqual("p-1", client.PlayerId);
            Assert.AreEqual("9.9", options.AppVersion);
            Assert.IsNotNull(options.Transport);
            Assert.AreEqual(1, client.QueuedEvents);
        }

        [UnityTest]
        public IEnumerator ASecondBehaviourLeavesItsObjectAlone()
        {
            var first = OverworldBehaviour.Connect(Nowhere());
            var own = new GameObject("Game manager");
            own.AddComponent<OverworldBehaviour>();
            yield return null;
            Assert.IsTrue(own != null);
            Assert.IsNotNull(own.GetComponent<OverworldBehaviour>());
            Assert.AreSame(first, OverworldBehaviour.Client);
            Object.DestroyImmediate(own);
        }

        [UnityTest]
        public IEnumerator TheClientStaysWhenTheSceneChanges()
        {
            var before = SceneManager.GetActiveScene();
            var level = SceneManager.CreateScene("Level");
            SceneManager.SetActiveScene(level);
            var client = OverworldBehaviour.Connect(Nowhere());
            SceneManager.SetActiveScene(before);
            yield return SceneManager.UnloadSceneAsync(level);
            Assert.AreSame(client, OverworldBehaviour.Client);
        }
    }
}
