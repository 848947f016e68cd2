import { createAchievements } from './calls/achievements.ts';
import type { Achievements } from './calls/achievements.ts';
import type { PlayerProperties } from './answers.ts';
import { createConfig } from './calls/config.ts';
import type { Config } from './calls/config.ts';
import { createEventSender } from './events/sender.ts';
import type { EventSender } from './events/sender.ts';
import type { KeptEvent } from './events/queue.ts';
import { createKeptStore, keyPrefix } from './stores/kept-store.ts';
import { createLeaderboards } from './calls/leaderboards.ts';
import type { Leaderboards } from './calls/leaderboards.ts';
import type { OverworldOptions } from './options.ts';
import { sendWithPage } from './events/page-events.ts';
import { makeId, startTimer } from './http/platform.ts';
import { createSaves } from './calls/saves.ts';
import type { Saves } from './calls/saves.ts';
import { createServerClock } from './http/server-clock.ts';
import { createSessions } from './events/session.ts';
import type { Sessions } from './events/session.ts';
import { createTags } from './calls/tags.ts';
import { createTell } from './events/callbacks.ts';
import type { Tell } from './events/callbacks.ts';
import type { Tags } from './calls/tags.ts';
import { createTransport } from './http/transport.ts';
import type { Transport } from './http/transport.ts';
import { createTurns } from './calls/turns.ts';
import type { InTurn } from './calls/turns.ts';
import { indexedDbStore, localStorageStore } from './stores/web-stores.ts';

export type * from './answers.ts';
export type { Achievements } from './calls/achievements.ts';
export type { Config, RemoteConfig } from './calls/config.ts';
export { OverworldError } from './http/error.ts';
export type { ErrorCode } from './http/error.ts';
export type { Leaderboards } from './calls/leaderboards.ts';
export type * from './options.ts';
export type { ConflictPolicy, SaveConflict } from './calls/save-conflict.ts';
export type { SaveResult, Saves } from './calls/saves.ts';
export type { Tags } from './calls/tags.ts';
export { indexedDbStore, localStorageStore };

/**
 * A client of an Overworld server, for one player at a time. Make one when the game starts and keep
 * it.
 *
 * @example
 * const overworld = new Overworld({
 *   baseUrl: 'https://play.example.com',
 *   apiKey: 'ow_live_…',
 * });
 * overworld.track('level_complete', { level: 1, stars: 3 });
 */
export class Overworld {
  readonly tags: Tags;
  readonly saves: Saves;
  readonly achievements: Achievements;
  readonly leaderboards: Leaderboards;
  readonly config: Config;
  /**
   * Resolves when the store has been read; at once with `localStorage`. All calls wait for it
   * themselves.
   */
  readonly ready: Promise<void>;

  readonly #transport: Transport;
  /** Orders the calls that change the player, so that a repeated call does not undo a later one. */
  readonly #inTurn: InTurn;
  readonly #sender: EventSender;
  readonly #tell: Tell;
  readonly #stopListening: () => void;
  #sessions: Sessions | undefined;
  /** Calls of `track` before the store was read. */
  #early: (() => void)[] = [];
  /** Empty while the anonymous player plays. */
  #playerId: string;
  /** Empty until the store has been read. */
  #anonymousId = '';
  #droppedEvents = 0;
  #isClosed = false;

  constructor(options: OverworldOptions) {
    const { baseUrl, apiKey, firstApiKey = apiKey, playerId = '', timeoutMs = 10_000 } = options;
    const store = createKeptStore(options.store ?? localStorageStore() ?? indexedDbStore());
    const prefix = keyPrefix(firstApiKey);
    const clock = createServerClock();
    const transport = createTransport({
      base_url: baseUrl,
      api_key: apiKey,
      timeout_ms: timeoutMs,
      clock,
    });
    const player = {
      get: () => {
        const known = this.#playerId;
        return this.ready.then(() => known || this.#anonymousId);
      },
    };
    const config = createConfig(transport, player, store, `${prefix}config`);
    this.#playerId = playerId;
    this.#inTurn = createTurns(player);
    this.#transport = transport;
    this.#tell = createTell(options, (count) => (this.#droppedEvents += count));
    this.#sender = createEventSender({
      store,
      prefix,
      transport,
      clock,
      flush_interval_ms: options.flushIntervalMs ?? 5_000,
      max_events: options.maxQueuedEvents ?? 5_000,
      tell: this.#tell,
    });
    this.tags = createTags(transport, this.#inTurn);
    this.saves = createSaves(transport, player, clock);
    this.achievements = createAchievements(transport, player);
    this.leaderboards = createLeaderboards(transport, player);
    this.config = config;

    const start = ([playerText, sessionText, configText]: (string | null)[], isSync: boolean) => {
      this.#anonymousId = playerText || makeId();
      if (!playerId && !playerText) void store.set(`${prefix}player`, this.#anonymousId);
      config.restore(configText!);
      this.#sessions = createSessions({
        store,
        key: `${prefix}session`,
        stored: sessionText!,
        isSync,
        track: (event) => this.#sender.append({ ...event, player_id: this.playerId }),
      });
      this.#sessions.touch();
      for (const run of this.#early) run();
      this.#early = [];
    };
    const reads = ['player', 'session', 'config'].map((name) => store.read(prefix + name));
    if (reads.some((read) => read instanceof Promise)) {
      this.ready = Promise.all(reads).then((texts) => start(texts, false));
    } else {
      start(reads as (string | null)[], true);
      this.ready = Promise.resolve();
    }

    this.#stopListening = sendWithPage(this.#sender);
  }

  /** Id of the player. While an asynchronous store is read, the id of an anonymous player is empty. */
  get playerId(): string {
    return this.#playerId || this.#anonymousId;
  }

  /** Number of events that wait or are being sent. */
  get queuedEvents(): number {
    return this.#sender.length + this.#early.length;
  }

  /** Number of events that were tracked here and will not be stored; `onDrop` gets each of them. */
  get droppedEvents(): number {
    return this.#droppedEvents;
  }

  /**
   * Sets the player from now on, for example after a login. Earlier events keep their player. The id
   * is not stored: pass it as `playerId` at the next start.
   * @example overworld.setPlayerId(account.id);
   */
  setPlayerId(playerId: string): void {
    this.#playerId = playerId;
  }

  /**
   * Tracks an event of the player. Returns at once and never throws: the event is kept in the store
   * and sent together with others, even after a reload. `properties` may be any JSON of up to 32 KB;
   * later changes to the object do not matter.
   * @example overworld.track('item_bought', { item: 'lantern', price: 30 });
   */
  track(eventName: string, properties?: object): void {
    try {
      if (this.#isClosed) return this.#tell.drop('closed', [], { count: 1 });
      const at = Date.now();
      if (!this.#sessions) {
        const copy = properties && (JSON.parse(JSON.stringify(properties)) as object);
        const known = this.#playerId;
        this.#early.push(() => this.#trackNow(eventName, at, known || this.#anonymousId, copy));
      } else {
        this.#trackNow(eventName, at, this.playerId, properties);
      }
    } catch {
      this.#tell.drop('unsendable', [], { count: 1 });
    }
  }

  #trackNow(event_name: string, at: number, player_id: string, properties?: object): void {
    const session_id = this.#sessions!.touch();
    this.#sender.append({ event_name, session_id, at, player_id, properties } as KeptEvent);
  }

  /**
   * Merges properties into those of the player: each property replaces the stored one as a whole.
   * @returns all properties of the player.
   * @example await overworld.identify({ name: 'Juno', level: 4 });
   */
  async identify(properties: object): Promise<PlayerProperties['properties']> {
    // The game may change the object before the call is sent.
    const given = JSON.stringify({ properties });
    const { body: answer } = await this.#inTurn((player_id) => {
      const body = { ...(JSON.parse(given) as object), player_id };
      const call = { method: 'POST', path: '/v1/identify', body } as const;
      return this.#transport.request<PlayerProperties>(call, 'safe');
    });
    return answer.properties;
  }

  /**
   * Resolves when all events tracked so far are in the store, so that they survive the end of the
   * process. `localStorage` has them as soon as `track` returns.
   * @example await overworld.stored();
   */
  async stored(): Promise<void> {
    await this.ready;
    await this.#sender.stored();
  }

  /**
   * Sends all waiting events, also those that earlier pages left. Never rejects.
   * @returns whether all were sent; the others are tried again later.
   * @example await overworld.flush();
   */
  async flush(): Promise<boolean> {
    await this.ready;
    return this.#sender.flush();
  }

  /**
   * Ends the session, sends events for at most `timeoutMs` (5,000 by default), and stops. Unsent
   * events stay in the store for the next start; without a store they are lost.
   * @example await overworld.close();
   */
  async close({ timeoutMs = 5_000 }: { timeoutMs?: number } = {}): Promise<void> {
    if (this.#isClosed) return;
    await this.ready;
    this.#sessions!.end();
    this.#isClosed = true;
    this.#stopListening();
    await Promise.race([
      this.#sender.flush(),
      new Promise<void>((resolve) => startTimer(resolve, timeoutMs)),
    ]);
    await this.#sender.close();
  }
}
