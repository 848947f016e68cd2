using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace OverworldSdk
{
    /// <summary>When to send a request again.</summary>
    internal enum Retry
    {
        /// <summary>Whenever that may help, because doing the call twice has the effect of doing it once.</summary>
        Safe,
        /// <summary>Only if the answer says that nothing was done.</summary>
        Refused,
    }

    /// <summary>Sends calls to the server, and repeats them if that may help.</summary>
    internal sealed class ApiClient
    {
        /// <summary>Requests name it, and the dashboard shows which versions call.</summary>
        private const string Version = "0.1.0";
        public const int MaxAttempts = 4;
        private static readonly TimeSpan LongestBackoff = TimeSpan.FromSeconds(8);
        /// <summary>A longer wait is reported as an error instead of keeping the caller waiting.</summary>
        /// <summary>The time limit of calls that may take longer than others, unless the game gives all calls more time.</summary>
        private static readonly TimeSpan LongTimeout = TimeSpan.FromMinutes(2);
        private static readonly TimeSpan LongestRetryAfter = TimeSpan.FromSeconds(15);

        private readonly OverworldOptions options;
        private readonly Clock clock;
        private readonly ServerClock serverClock = new ServerClock();

        private readonly Hints hints;

        public ApiClient(OverworldOptions options, Clock clock, Hints hints)
        {
            this.options = options;
            this.clock = clock;
            this.hints = hints;
        }

        /// <summary>True if the player has agreed to be tracked. If not, nothing is sent.</summary>
        public bool IsEnabled;

        /// <exception cref="OverworldException">`tracking_disabled`</exception>
        public void RequireEnabled()
        {
            if (!IsEnabled) throw new OverworldException("tracking_disabled", "The player has not agreed to be tracked");
        }

        /// <summary>The tokens of players.</summary>
        public Logins Logins;

        /// <summary>The server's time.</summary>
        public DateTime UtcNow { get { return clock.UtcNow + serverClock.Offset; } }

        public Task Delay(TimeSpan time)
        {
            return clock.Delay(time);
        }

        /// <summary>Difference of the server's time and this device's, as far as it is known.</summary>
        public TimeSpan ClockOffset { get { return serverClock.Offset; } }

        public bool IsServerTimeKnown { get { return serverClock.IsKnown; } }

        /// <summary>Sends a request up to four times, while its failures may pass.</summary>
        /// <param name="gives">A member of the answer if the call succeeds; null if such an answer has no body.</param>
        /// <exception cref="OverworldException"/>
        public async Task<HttpAnswer> Call(string method, string path, string gives, string body = null,
            KeyValuePair<string, string>? header = null, Retry retry = Retry.Safe, string player = null, bool isLong = false)
        {
            for (var attempt = 1; ; attempt++)
            {
                OverworldException failure;
                try
                {
                    return await Send(method, path, gives, body, header, player, isLong);
                }
                catch (OverworldException error)
                {
                    failure = error;
                }
                var mayPass = retry == Retry.Safe ? failure.IsPassing : failure.Code == "rate_limited";
                if (!mayPass || attempt == MaxAttempts || failure.RetryAfter > LongestRetryAfter) throw failure;
                await clock.Delay(Backoff.WaitAfter(attempt, failure.RetryAfter, LongestBackoff));
            }
        }

        public bool IsOffline { get { return options.Transport.IsOffline; } }

        /// <summary>Sends a request once.</summary>
        /// <exception cref="OverworldException">The server does not answer, or with a status of 400 or more.</exception>
        /// <param name="player">The player whom the call is about; the player token proves it.</param>
        public async Task<HttpAnswer> Send(string method, string path, string gives, string body = null, KeyValuePair<string, string>? header = null, string player = null, bool isLong = false)
        {
            RequireEnabled();
            var token = player == null ? null : await Logins.TokenOf(player);
            OverworldException refusal;
            try
            {
                return await SendOnce(method, path, gives, body, header, token, isLong);
            }
            catch (OverworldException error)
            {
                if (player == null || !error.LacksLogin) throw;
                refusal = error;
            }
            var next = await Logins.Renew(player, token);
            if (next == null) throw refusal;
            return await SendOnce(method, path, gives, body, header, next, isLong);
        }

        private async Task<HttpAnswer> SendOnce(string method, string path, string gives, string body, KeyValuePair<string, string>? header, string token, bool isLong)
        {
            try
            {
                return await Exchange(method, path, gives, body, header, token, isLong);
            }
            catch (OverworldException error)
            {
                hints.SayFailure(error, options);
                throw;
            }
        }

        private async Task<HttpAnswer> Exchange(string method, string path, string gives, string body, KeyValuePair<string, string>? header, string token, bool isLong)
        {
            RequireEnabled();
            var headers = new Dictionary<string, string>
            {
                { "x-game-api-key", options.ApiKey },
                { "overworld-sdk", "unity/" + Version },
            };
            if (body != null) headers["Content-Type"] = "application/json";
            if (token != null) headers["x-player-token"] = token;
            if (header != null) headers[header.Value.Key] = header.Value.Value;
            var sentAt = clock.UtcNow;
            var answer = await Transmit(new HttpCall
            {
                Method = method,
                Url = options.BaseUrl + path,
                Headers = headers,
                Body = body,
                Timeout = isLong && options.Timeout < LongTimeout ? LongTimeout : options.Timeout,
            });
            var isConditional = header != null && header.Value.Key == "If-None-Match";
            if (!answer.IsOurs(gives, isConditional)) throw OverworldException.OfOther(answer);
            serverClock.Learn(answer.GetHeader("Date"), sentAt, clock.UtcNow);
            if (answer.Status >= 400) throw OverworldException.Of(answer);
            return answer;
        }

        public static OverworldException MakeOffline()
        {
            return new OverworldException("offline", "The device is offline");
        }

        private async Task<HttpAnswer> Transmit(HttpCall call)
        {
            try
            {
                return await options.Transport.Send(call);
            }
            catch (TimeoutException error)
            {
                throw new OverworldException("timeout", "No answer within " + call.Timeout.TotalSeconds + " s", null, error);
            }
            catch (Exception error)
            {
                if (IsOffline) throw MakeOffline();
                throw new OverworldException("network", "The server was not reached: " + error.Message, null, error);
            }
        }
    }
}
