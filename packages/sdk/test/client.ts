import { Overworld } from '../src/overworld.ts';
import type { DroppedEvents, OverworldOptions, OverworldStore } from '../src/overworld.ts';
import type { TestGame, TestServer } from '../../server/test/harness.ts';

/** A client, the events that it dropped, and its errors. */
interface TestClient extends AsyncDisposable {
  overworld: Overworld;
  dropped: DroppedEvents[];
  /** Codes of the errors given to `onError`. */
  errors: string[];
}

/** Makes a client that has already made one request, and so has learned the server's time. */
export async function makeHeardClient(...args: Parameters<typeof makeClient>): Promise<TestClient> {
  const client = makeClient(...args);
  await client.overworld.config.load();
  return client;
}

/** Makes a client with a store, which sends events only when a test flushes. */
export function makeClient(
  { url }: { url: string },
  game: TestGame,
  options: Partial<OverworldOptions> = {},
): TestClient {
  const dropped: DroppedEvents[] = [];
  const errors: string[] = [];
  const overworld = new Overworld({
    baseUrl: url,
    apiKey: game.production_key,
    playerId: 'p-1',
    store: makeStore(),
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

export interface TestStore extends OverworldStore {
  values: Map<string, string>;
  /** Returns what the next process would find in the store if this process were killed now. */
  copy(): TestStore;
}

/** Makes a store like `localStorage`: it keeps its values when a client is closed. */
export function makeStore(first?: Map<string, string>): TestStore {
  const values = new Map(first);
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    getAllKeys: () => [...values.keys()],
    copy: () => makeStore(values),
  };
}

/** Lists what the next process would find in the store if this process were killed after each change. */
export function recordChanges(store: TestStore): TestStore[] {
  const moments: TestStore[] = [];
  const { setItem, removeItem } = store;
  store.setItem = (key, value) => {
    setItem(key, value);
    moments.push(store.copy());
  };
  store.removeItem = (key) => {
    removeItem(key);
    moments.push(store.copy());
  };
  return moments;
}

/** Wraps a store so that all its calls take time. */
export const slow = (store: OverworldStore): OverworldStore => {
  const later = async <T>(run: () => T | Promise<T>): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return run();
  };
  return {
    getItem: (key) => later(() => store.getItem(key)),
    setItem: (key, value) => later(() => store.setItem(key, value)),
    removeItem: (key) => later(() => store.removeItem(key)),
    getAllKeys: () => later(() => store.getAllKeys()),
  };
};

/** Makes a store that throws this error when it has no room for a value. */
export function makeFullStore(): TestStore & { isFull: boolean } {
  const store = Object.assign(makeStore(), { isFull: true });
  const { setItem } = store;
  store.setItem = (key, value) => {
    if (store.isFull) throw new DOMException('No room', 'QuotaExceededError');
    setItem(key, value);
  };
  return store;
}

/** An event on the server. */
export interface StoredEvent {
  event_name: string;
  session_id: string;
  properties: Record<string, unknown>;
  client_timestamp: string | null;
  received_at: string;
}

/** Lists all events of a player in the order of receipt. */
export async function listStored(
  server: TestServer,
  game: TestGame,
  { player_id = 'p-1', withSessions = false } = {},
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  const path = `/v1/players/${encodeURIComponent(player_id)}/timeline?limit=500`;
  for (let next = path; ;) {
    const { body } = await server.request('GET', next, { key: game.production_key });
    events.push(...((body.events ?? []) as StoredEvent[]));
    if (!body.next_cursor) break;
    next = `${path}&cursor=${body.next_cursor}`;
  }
  return events
    .toReversed()
    .filter(({ event_name }) => withSessions || !event_name.startsWith('session_'));
}

/** Lists the property `n` of each stored event. */
export async function listNumbers(
  server: TestServer,
  game: TestGame,
  player_id?: string,
): Promise<unknown[]> {
  const events = await listStored(server, game, { player_id });
  return events.map(({ properties }) => properties.n);
}

/** Tracks one event for each number from `from` to `to`, with the number as the property `n`. */
export function trackNumbers(overworld: Overworld, from: number, to: number): void {
  for (let n = from; n <= to; n++) overworld.track('step', { n });
}

export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Calls `run` while the clock of this device is off by `off_ms`. */
export async function withClockOff<T>(off_ms: number, run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + off_ms;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}
