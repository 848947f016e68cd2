using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>One HTTP request, as a transport sends it.</summary>
    public sealed class HttpCall
    {
        public string Method;
        public string Url;
        public Dictionary<string, string> Headers;
        /// <summary>JSON, to be sent as UTF-8; null without a body.</summary>
        public string Body;
        public TimeSpan Timeout;
    }

    /// <summary>An answer with any status.</summary>
    public sealed class HttpAnswer
    {
        public readonly int Status;
        public readonly string Body;
        private readonly Dictionary<string, string> headers;

        public HttpAnswer(int status, string body, IEnumerable<KeyValuePair<string, string>> headers)
        {
            Status = status;
            Body = body ?? "";
            this.headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            foreach (var header in headers) this.headers[header.Key] = header.Value;
        }

        /// <summary>A header, in upper or lower case; null without it.</summary>
        public string GetHeader(string name)
        {
            string value;
            return headers.TryGetValue(name, out value) ? value : null;
        }

        /// <summary>The header holds seconds or a date. The wait is at most a day, and null without the header.</summary>
        internal TimeSpan? RetryAfter
        {
            get
            {
                var text = GetHeader("Retry-After");
                double seconds;
                if (!double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out seconds))
                {
                    var time = text == null ? null : Timestamp.Parse(text);
                    if (time == null) return null;
                    seconds = (time.Value - DateTime.UtcNow).TotalSeconds;
                }
                return TimeSpan.FromSeconds(Math.Max(0, Math.Min(seconds, 24 * 3600)));
            }
        }

        /// <summary>
        /// True if it is from Overworld, and not from a proxy, a captive portal or another server. All SDKs
        /// have this rule; `sdks/transcripts/tables/answers.json` lists its cases.
        /// </summary>
        /// <param name="gives">A member of the answer to a call that succeeds; null if that answer has no body.</param>
        /// <param name="isConditional">True if the call names the version of the answer that the client has.</param>
        internal bool IsOurs(string gives, bool isConditional)
        {
            // A proxy that refuses the size of a request would always refuse it, so the call must not wait.
            if (Status == 413) return true;
            if (Status == 304) return isConditional;
            if (Status == 204) return gives == null;
            var members = Json.TryParseObject(Body);
            if (members == null) return false;
            // Servers of the first releases do not send this header, and a proxy may remove it.
            var isMarked = !string.IsNullOrEmpty(GetHeader("overworld-server"));
            if (Status >= 400) return isMarked || members.Text("error") != null;
            return Status >= 200 && Status < 300 && (isMarked || (gives != null && members.ContainsKey(gives)));
        }

        /// <summary>The members of the body; none if the body is no JSON object.</summary>
        internal Dictionary<string, object> ReadObject()
        {
            return Json.TryParseObject(Body) ?? new Dictionary<string, object>();
        }
    }

    /// <summary>
    /// Sends requests. An error status is an answer. Without an answer it throws: a TimeoutException if
    /// it took too long, any other exception if the server was not reached.
    /// </summary>
    public interface ITransport
    {
        /// <summary>True if the device reports that it has no network. The opposite report means little.</summary>
        bool IsOffline { get; }

        Task<HttpAnswer> Send(HttpCall call);
    }
}
