interface Snippet {
  name: string;
  code: string;
}

/** Code to copy that sends a first event, in several languages and engines. */
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
      code: `// npm install @overworld/sdk (from a clone of the repository: see its packages/sdk/README.md)
import { Overworld } from '@overworld/sdk';

const overworld = new Overworld({
  baseUrl: '${address}',
  apiKey: '${key}',
});
overworld.track('game_started', { level: 1 });
await overworld.flush();`,
    },
    {
      name: 'Godot',
      code: `# With the addon sdks/godot of the repository: copy addons/overworld, and enable it.
extends Node

func _ready() -> void:
\tOverworld.start("${address}", "${key}")
\tOverworld.track("game_started", {"level": 1})`,
    },
    {
      name: 'Unity',
      code: `// With the package sdks/unity of the repository: add it in the Package Manager.
using System.Collections.Generic;
using Overworld;
using UnityEngine;

public class FirstEvent : MonoBehaviour
{
    void Start()
    {
        var overworld = OverworldBehaviour.Connect("${address}", "${key}");
        overworld.Track("game_started", new Dictionary<string, object> { { "level", 1 } });
    }
}`,
    },
  ];
}
