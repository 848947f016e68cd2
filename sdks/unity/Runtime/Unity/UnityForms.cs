using System.Collections.Generic;
using UnityEngine;

namespace OverworldSdk
{
    /// <summary>The forms of Unity's types in JSON.</summary>
    internal static class UnityForms
    {
        /// <summary>Vectors are written as objects of `x`, `y` and `z`, colors as texts such as `#FF8800FF`.</summary>
        public static void Set()
        {
            Json.SetForm<Vector2>(vector => Write(vector.x, vector.y));
            Json.SetForm<Vector2Int>(vector => Write(vector.x, vector.y));
            Json.SetForm<Vector3>(vector => Write(vector.x, vector.y, vector.z));
            Json.SetForm<Vector3Int>(vector => Write(vector.x, vector.y, vector.z));
            Json.SetForm<Color>(color => "#" + ColorUtility.ToHtmlStringRGBA(color));
        }

        private static Dictionary<string, object> Write(params object[] axes)
        {
            var written = new Dictionary<string, object>();
            for (var i = 0; i < axes.Length; i++) written["xyz".Substring(i, 1)] = axes[i];
            return written;
        }
    }
}
