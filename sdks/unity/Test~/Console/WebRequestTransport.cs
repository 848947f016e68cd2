using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Overworld;

/// <summary>HTTP by the class library of .NET, where there is no Unity.</summary>
internal sealed class WebRequestTransport : ITransport
{
    public bool IsOffline { get { return false; } }

    public async Task<HttpAnswer> Send(HttpCall call)
    {
        var request = WebRequest.CreateHttp(call.Url);
        request.Method = call.Method;
        request.KeepAlive = false;
        request.AllowAutoRedirect = false;
        request.ServicePoint.Expect100Continue = false;
        foreach (var header in call.Headers)
        {
            if (header.Key == "Content-Type") request.ContentType = header.Value;
            else request.Headers[header.Key] = header.Value;
        }
        using (new Timer(ignored => request.Abort(), null, call.Timeout, Timeout.InfiniteTimeSpan))
        {
            if (call.Body != null) await WriteBody(request, call.Body);
            using (var response = await GetResponse(request))
            using (var reader = new StreamReader(response.GetResponseStream(), Encoding.UTF8))
                return new HttpAnswer((int)response.StatusCode, await reader.ReadToEndAsync(), ListHeaders(response));
        }
    }

    private static async Task WriteBody(HttpWebRequest request, string body)
    {
        var bytes = Encoding.UTF8.GetBytes(body);
        request.ContentLength = bytes.Length;
        using (var stream = await request.GetRequestStreamAsync()) await stream.WriteAsync(bytes, 0, bytes.Length);
    }

    private static async Task<HttpWebResponse> GetResponse(HttpWebRequest request)
    {
        try
        {
            return (HttpWebResponse)await request.GetResponseAsync();
        }
        catch (WebException error)
        {
            // An error status is an answer; without one there is none.
            if (error.Response == null) throw;
            return (HttpWebResponse)error.Response;
        }
    }

    private static IEnumerable<KeyValuePair<string, string>> ListHeaders(HttpWebResponse response)
    {
        foreach (var name in response.Headers.AllKeys)
            yield return new KeyValuePair<string, string>(name, response.Headers[name]);
    }
}
