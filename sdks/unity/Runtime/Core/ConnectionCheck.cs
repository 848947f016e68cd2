using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>Says in words whether an address and a key are right.</summary>
    public static class ConnectionCheck
    {
        private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(10);

        /// <summary>The mistake in an address or a key, as far as it shows without the server; null without one.</summary>
        public static string FindMistake(string baseUrl, string apiKey)
        {
            Uri address;
            var isAddress = Uri.TryCreate(baseUrl, UriKind.Absolute, out address) && address.Host != ""
                && (address.Scheme == "http" || address.Scheme == "https");
            if (!isAddress) return "The address must be like https://play.example.com, not \"" + baseUrl + "\"";
            return IsKey(apiKey) ? null : "The API key is missing or not a key";
        }

        /// <summary>Tells whether a request can carry the text in a header.</summary>
        private static bool IsKey(string text)
        {
            foreach (var character in text ?? "")
            {
                if (character < '!' || character > '~') return false;
            }
            return !string.IsNullOrEmpty(text);
        }

        /// <summary>Asks the server once, with a call that changes nothing. Returns the problem; null if the server takes the key.</summary>
        public static async Task<string> FindProblem(ITransport transport, string baseUrl, string apiKey)
        {
            var mistake = FindMistake(baseUrl, apiKey);
            if (mistake != null) return mistake;
            var nobody = "No Overworld server answers at " + baseUrl;
            HttpAnswer answer;
            try
            {
                answer = await transport.Send(new HttpCall
                {
                    Method = "GET",
                    Url = baseUrl.TrimEnd('/') + "/v1/config",
                    Headers = new Dictionary<string, string> { { "x-game-api-key", apiKey } },
                    Timeout = Timeout,
                });
            }
            catch (Exception error)
            {
                return nobody + ": " + error.Message;
            }
            if (!answer.IsOurs("config", false)) return nobody;
            return answer.Status >= 400 ? "The server answers: " + answer.ReadObject().Text("error") : null;
        }
    }
}
