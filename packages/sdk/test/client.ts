import { Overworld } from '../src/overworld.ts';
import type { DroppedEvents, OverworldOptions, OverworldStore } from '../src/overworld.ts';
import type { TestGame, TestServer } from '../../server/test/harness.ts';

/** A client, and what it has told of. */
export interface TestClient extends AsyncDisposable {
  overworld: Overworld;
  dropped: DroppedEvents[];
  errors: string[];
}

/** Makes a client that sends nothing by itself within a test: tests flush. */
export function makeClient(
  server: { url: string },
  game: TestGame,
  options: Partial<OverworldOptions> = {},
): TestClient {
  const dropped: DroppedEvents[] = [];
  const errors: string[] = [];
  const overworld = new Overworld({
    baseUrl: server.url,
    apiKey: game.production_key,
    playerId: 'p-1',
    flushIntervalMs: 600_000,
    onDrop: (drop) => dropped.push(drop),
    onError: ({ code }) => errors.push(code),
    ...options,
  });
  return {
    overworld,
    dropped,
    errors,
    [Symbol.asyncDispose]: () => overworld.close({ timeoutMs: 2_000 }),
  };
}

/** A store like `localStorage`, that outlives clients. */
export function makeStore(): OverworldStore & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    getAllKeys: () => [...values.keys()],
  };
}

/** An event as the server has it. */
export interface StoredEvent {
  event_name: string;
  session_id: string;
  properties: Record<string, unknown>;
  client_timestamp: string | null;
  received_at: string;
}

/** All events of a player in the order of receipt; those of sessions only when asked for. */
export async function listStored(
  server: TestServer,
  game: TestGame,
  { player_id = 'p-1', withSessions = false } = {},
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  const limit = 500;
  for (let offset = 0; ; offset += limit) {
    const { body } = await server.request(
      'GET',
      `/v1/players/${encodeURIComponent(player_id)}/timeline?limit=${limit}&offset=${offset}`,
      { key: game.production_key },
    );
    const page = (body.events ?? []) as StoredEvent[];
    events.push(...page);
    if (page.length < limit) break;
  }
  return events
    .toReversed()
    .filter(({ event_name }) => withSessions || !event_name.startsWith('session_'));
}
