using System;
using System.Collections.Generic;

namespace Overworld
{
    /// <summary>The one error of this SDK. What it says of arguments are ArgumentExceptions.</summary>
    public sealed class OverworldException : Exception
    {
        /// <summary>Status of the answer; 0 when no answer came.</summary>
        public readonly int Status;
        /// <summary>
        /// What went wrong, for `switch`: `offline`, `network`, `timeout` (no answer came; what was asked may
        /// have been done or not), `bad_answer` (something other than the server answered), `bad_request`,
        /// `unauthorized`, `forbidden`, `not_found`, `conflict`, `too_large`, `rate_limited`,
        /// `quota_exceeded`, `server_error`, `http_error`.
        /// </summary>
        public readonly string Code;
        /// <summary>Finds the request in the server's log; null when no answer came.</summary>
        public readonly string RequestId;
        /// <summary>The answer's JSON; empty without one.</summary>
        public readonly Dictionary<string, object> Body;
        /// <summary>How long the server asks to wait before the next try, at most a day; null when it does not say.</summary>
        public readonly TimeSpan? RetryAfter;

        /// <summary>The text of the answer.</summary>
        internal readonly string BodyText;

        internal OverworldException(string code, string message, HttpAnswer answer = null, Exception cause = null)
            : base(message, cause)
        {
            Code = code;
            Body = answer == null ? new Dictionary<string, object>() : answer.ReadObject();
            if (answer == null) return;
            Status = answer.Status;
            RequestId = answer.GetHeader("X-Request-Id");
            RetryAfter = answer.RetryAfter;
            BodyText = answer.Body;
        }

        /// <summary>An answer of status 400 or more.</summary>
        internal static OverworldException Of(HttpAnswer answer)
        {
            var body = answer.ReadObject();
            var code = answer.Status == 429 && body.ContainsKey("quota") ? "quota_exceeded" : CodeOf(answer.Status);
            return new OverworldException(code, body.Text("error") ?? "HTTP " + answer.Status, answer);
        }

        /// <summary>Whether the same request may succeed a little later.</summary>
        internal bool IsPassing
        {
            get
            {
                return Code == "network" || Code == "timeout" || Code == "bad_answer" || Code == "rate_limited"
                    || Code == "server_error" || Status == 408;
            }
        }

        private static string CodeOf(int status)
        {
            switch (status)
            {
                case 400: return "bad_request";
                case 401: return "unauthorized";
                case 403: return "forbidden";
                case 404: return "not_found";
                case 409: return "conflict";
                case 413: return "too_large";
                case 429: return "rate_limited";
                default: return status >= 500 ? "server_error" : "http_error";
            }
        }
    }
}
