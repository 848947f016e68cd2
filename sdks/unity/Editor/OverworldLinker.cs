using System.IO;
using UnityEditor.Build;
using UnityEditor.Build.Reporting;
using UnityEditor.UnityLinker;

namespace OverworldSdk.Editor
{
    /// <summary>Declares the types that a build must keep: the link.xml of a package counts only if it is handed over.</summary>
    internal sealed class OverworldLinker : IUnityLinkerProcessor
    {
        public int callbackOrder { get { return 0; } }

        public string GenerateAdditionalLinkXmlFile(BuildReport report, UnityLinkerBuildPipelineData data)
        {
            return Path.GetFullPath("Packages/com.overworld.sdk/Runtime/link.xml");
        }
    }
}
