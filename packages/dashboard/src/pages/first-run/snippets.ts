interface Snippet {
  name: string;
  /** Commands that install the SDK of this server's release; absent if there is nothing to install. */
  install?: string;
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
      install: `npm install ${address}/sdk/overworld-sdk.tgz`,
      code: `// Save as game.mjs, and run: node game.mjs
import { Overworld } from '@overworld/sdk';

const overworld = new Overworld({
  baseUrl: '${address}',
  apiKey: '${key}',
});
overworld.track('game_started', { level: 1 });
await overworld.flush();`,
    },
    {
      name: 'Web page',
      code: `<script type="module">
  import { Overworld } from '${address}/sdk/overworld.js';

  const overworld = new Overworld({
    baseUrl: '${address}',
    apiKey: '${key}',
  });
  overworld.track('game_started', { level: 1 });
</script>`,
    },
    {
      name: 'Godot',
      install: `# In the folder of your project:
curl -O ${address}/sdk/godot.zip
unzip godot.zip
# Then enable Overworld in its settings, under Plugins.`,
      code: `extends Node

func _ready() -> void:
\tOverworld.start("${address}", "${key}")
\tOverworld.track("game_started", {"level": 1})`,
    },
    {
      name: 'Unity',
      install: `# In the folder of your project:
curl -O ${address}/sdk/unity.tgz
# Then open it in the Package Manager, by "Add package from tarball…".`,
      code: `using System.Collections.Generic;
using OverworldSdk;
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
