export interface Snippet {
  name: string;
  code: string;
}

/** Ready-to-paste code that sends a first event, in the ways that games are written. */
export function firstEventSnippets(address: string, key: string): Snippet[] {
  const url = `${address}/v1/track`;
  return [
    {
      name: 'curl',
      code: `curl ${url} \\
  -H 'x-game-api-key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"event_name": "game_started", "session_id": "session-1", "player_id": "player-1", "properties": {"level": 1}}'`,
    },
    {
      name: 'TypeScript',
      code: `await fetch('${url}', {
  method: 'POST',
  headers: {
    'x-game-api-key': '${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    event_name: 'game_started',
    session_id: crypto.randomUUID(),
    player_id: 'player-1',
    properties: { level: 1 },
  }),
});`,
    },
    {
      name: 'Godot',
      code: `extends Node

func _ready() -> void:
\tvar http := HTTPRequest.new()
\tadd_child(http)
\tvar headers := ["x-game-api-key: ${key}", "Content-Type: application/json"]
\tvar event := {
\t\t"event_name": "game_started",
\t\t"session_id": str(Time.get_unix_time_from_system()),
\t\t"player_id": "player-1",
\t\t"properties": { "level": 1 },
\t}
\thttp.request("${url}", headers, HTTPClient.METHOD_POST, JSON.stringify(event))`,
    },
    {
      name: 'Unity',
      code: `using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class FirstEvent : MonoBehaviour
{
    IEnumerator Start()
    {
        var session = System.Guid.NewGuid().ToString();
        var json = "{\\"event_name\\": \\"game_started\\", \\"session_id\\": \\"" + session + "\\"," +
            " \\"player_id\\": \\"player-1\\", \\"properties\\": {\\"level\\": 1}}";
        using var request = UnityWebRequest.Post("${url}", json, "application/json");
        request.SetRequestHeader("x-game-api-key", "${key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`,
    },
  ];
}
