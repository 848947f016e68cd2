using System;
using System.Collections.Generic;

namespace OverworldSdk
{
    /// <summary>The error of all calls of this SDK. Invalid arguments throw ArgumentExceptions.</summary>
    public sealed class OverworldException : Exception
    {
        /// <summary>Status of the answer; 0 if no answer came. Of a `bad_answer`, the status of whoever answered.</summary>
        public readonly int Status;
        /// <summary>
        /// The kind of error, for `switch`: `offline`, `network`, `timeout` (no answer came; the server may
        /// or may not have done the call), `bad_answer` (a proxy, a captive portal or another server
        /// answered, which counts as if no answer had come), `bad_request`,
        /// `unauthorized`, `forbidden`, `not_found`, `conflict`, `too_large`, `rate_limited`,
        /// `quota_exceeded`, `server_error`, `http_error`, `queue_full` (the oldest of too many kept calls is given up),
        /// `store_failed` (the storage is full or blocked: the call has not reached the server and is not kept, and the inner exception
        /// says why; of `OnError`: what waits for the network would be lost at the end of the game),
        /// `tracking_disabled` (nothing was sent, because the player has not agreed).
        /// </summary>
        public readonly string Code;
        /// <summary>Id of the request in the log of the server; null if no answer came.</summary>
        public readonly string RequestId;
        /// <summary>The JSON of the answer; empty without an answer.</summary>
        public readonly Dictionary<string, object> Body;
        /// <summary>Time to wait before the next try, at most a day; null if the server does not say.</summary>
        public readonly TimeSpan? RetryAfter;

        /// <summary>True if the call is in the storage of the device, and will be sent when the server is reached. If not, the client has forgotten it.</summary>
        public bool IsKept { get; internal set; }
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

        /// <summary>An answer with status 400 or more.</summary>
        internal static OverworldException Of(HttpAnswer answer)
        {
            var body = answer.ReadObject();
            var code = answer.Status == 429 && body.ContainsKey("quota") ? "quota_exceeded" : CodeOf(answer.Status);
            return new OverworldException(code, body.Text("error") ?? "HTTP " + answer.Status, answer);
        }

        /// <summary>True if the call lacks a valid token of its player. Errors about the key say nothing about the token.</summary>
        internal bool LacksLogin { get { return Code == "unauthorized" && (Message.Contains("token") || Message.Contains("logged in")); } }

        /// <summary>An answer that is not from Overworld. Nothing that it says counts.</summary>
        internal static OverworldException OfOther(HttpAnswer answer)
        {
            // The query of a redirect may be secret.
            var location = (answer.GetHeader("Location") ?? "").Split('?')[0];
            var words = (answer.Status + " " + answer.GetHeader("Content-Type") + " " + location).TrimEnd();
            var status = new HttpAnswer(answer.Status, "", new Dictionary<string, string>());
            return new OverworldException("bad_answer", "The answer is not from Overworld (" + words + ")", status);
        }

        /// <summary>The storage has not taken what must wait.</summary>
        internal static OverworldException OfStorage(Exception cause)
        {
            return new OverworldException("store_failed", "The storage is full or blocked: nothing is kept (" + cause.Message + ")", null, cause);
        }

        /// <summary>True if the same request may succeed a little later.</summary>
        internal bool IsPassing
        {
            get
            {
                return Code == "network" || Code == "timeout" || Code == "bad_answer" || Code == "rate_limited"
                    || Code == "server_error" || Status == 408;
            }
        }

        /// <summary>True if the same request may succeed at all: later, with a network, with a key or login that is valid again, or when the player agrees again to be tracked.</summary>
        internal bool MayPassLater { get { return IsPassing || Code == "offline" || Code == "unauthorized" || Code == "tracking_disabled"; } }

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
