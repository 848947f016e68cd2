using System;
using System.Security.Cryptography;
using System.Text;

namespace OverworldSdk
{
    internal static class Ids
    {
        /// <summary>128 random bits in hexadecimal.</summary>
        public static string Make()
        {
            return Guid.NewGuid().ToString("N");
        }

        /// <summary>A hash of a text in 16 hexadecimal digits, for the name of a file.</summary>
        public static string Digest(string text)
        {
            using (var sha256 = SHA256.Create())
            {
                var bytes = sha256.ComputeHash(Encoding.UTF8.GetBytes(text));
                return BitConverter.ToString(bytes, 0, 8).Replace("-", "").ToLowerInvariant();
            }
        }
    }
}
