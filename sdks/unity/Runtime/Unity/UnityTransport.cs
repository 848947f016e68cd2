using System;
using System.Collections.Generic;
using System.Net;
using System.Text;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Networking;

namespace OverworldSdk
{
    /// <summary>HTTP by UnityWebRequest, which works on every platform of Unity. To be called on the main thread.</summary>
    public sealed class UnityTransport : ITransport
    {
        public bool IsOffline { get { return Application.internetReachability == NetworkReachability.NotReachable; } }

        public Task<HttpAnswer> Send(HttpCall call)
        {
            var done = new TaskCompletionSource<HttpAnswer>();
            var request = new UnityWebRequest(call.Url, call.Method) { downloadHandler = new DownloadHandlerBuffer() };
            if (!string.IsNullOrEmpty(call.Body)) request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(call.Body));
            foreach (var header in call.Headers) request.SetRequestHeader(header.Key, header.Value);
            request.timeout = Math.Max(1, (int)Math.Ceiling(call.Timeout.TotalSeconds));
            request.redirectLimit = 0;
            var startedAt = Time.realtimeSinceStartupAsDouble;
            request.SendWebRequest().completed += ignored =>
            {
                Finish(request, done, Time.realtimeSinceStartupAsDouble - startedAt >= request.timeout);
                request.Dispose();
            };
            return done.Task;
        }

        private static void Finish(UnityWebRequest request, TaskCompletionSource<HttpAnswer> done, bool isLate)
        {
            var isAnswered = request.result == UnityWebRequest.Result.Success || request.result == UnityWebRequest.Result.ProtocolError;
            if (isAnswered)
            {
                var headers = request.GetResponseHeaders() ?? new Dictionary<string, string>();
                done.SetResult(new HttpAnswer((int)request.responseCode, request.downloadHandler.text, headers));
            }
            else if (isLate) done.SetException(new TimeoutException(request.error));
            else done.SetException(new WebException(request.error));
        }
    }
}
