using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using OverworldSdk;

/// <summary>
/// HTTP over a socket, without Unity. Mono's HttpWebRequest cannot be used: after an answer without
/// content it closes the connection, sometimes before its own writing has ended, and reports a
/// failure, so that an answered request is sent again.
/// </summary>
internal sealed class SocketTransport : ITransport
{
    public bool IsOffline { get; set; }

    public Task<HttpAnswer> Send(HttpCall call)
    {
        if (IsOffline) throw new IOException("There is no network");
        return Task.Run(() => Exchange(call));
    }

    private static HttpAnswer Exchange(HttpCall call)
    {
        var url = new Uri(call.Url);
        var isLate = false;
        using (var client = new TcpClient())
        {
            TimerCallback close = ignored =>
            {
                isLate = true;
                client.Close();
            };
            using (new Timer(close, null, call.Timeout, Timeout.InfiniteTimeSpan))
            {
                try
                {
                    client.Connect(url.Host, url.Port);
                    var request = WriteRequest(call, url);
                    client.GetStream().Write(request, 0, request.Length);
                    return ReadAnswer(client.GetStream());
                }
                catch (Exception error) when (isLate)
                {
                    throw new TimeoutException(error.Message, error);
                }
            }
        }
    }

    /// <summary>Uses HTTP/1.0, in which an answer ends with the connection.</summary>
    private static byte[] WriteRequest(HttpCall call, Uri url)
    {
        var body = Encoding.UTF8.GetBytes(call.Body ?? "");
        var lines = new List<string> { call.Method + " " + url.PathAndQuery + " HTTP/1.0", "Host: " + url.Authority };
        if (call.Body != null) lines.Add("Content-Length: " + body.Length);
        foreach (var header in call.Headers) lines.Add(header.Key + ": " + header.Value);
        var request = new MemoryStream();
        var head = Encoding.UTF8.GetBytes(string.Join("\r\n", lines.ToArray()) + "\r\n\r\n");
        request.Write(head, 0, head.Length);
        request.Write(body, 0, body.Length);
        return request.ToArray();
    }

    private static HttpAnswer ReadAnswer(Stream stream)
    {
        var text = new StreamReader(stream, new UTF8Encoding(false)).ReadToEnd();
        var end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        if (end < 0) throw new IOException("The connection was closed without an answer");
        var lines = text.Substring(0, end).Split(new[] { "\r\n" }, StringSplitOptions.None);
        var headers = new Dictionary<string, string>();
        for (var i = 1; i < lines.Length; i++)
        {
            var colon = lines[i].IndexOf(':');
            headers[lines[i].Substring(0, colon)] = lines[i].Substring(colon + 1).Trim();
        }
        return new HttpAnswer(int.Parse(lines[0].Split(' ')[1]), text.Substring(end + 4), headers);
    }
}
