import { createAchievements } from './achievements.ts';
import type { Achievements } from './achievements.ts';
import type { PlayerProperties } from './answers.ts';
import { createConfig } from './config.ts';
import type { Config } from './config.ts';
import { createEventSender } from './event-sender.ts';
import type { EventSender } from './event-sender.ts';
import type { KeptEvent } from './event-queue.ts';
import { createKeptStore } from './kept-store.ts';
import { createLeaderboards } from './leaderboards.ts';
import type { Leaderboards } from './leaderboards.ts';
import type { OverworldOptions } from './options.ts';
import { listen, makeId, platform, startTimer } from './platform.ts';
import { createSaves } from './saves.ts';
import type { Saves } from './saves.ts';
import { createServerClock } from './server-clock.ts';
import { createSessions } from './session.ts';
import type { Sessions } from './session.ts';
import { createTags } from './tags.ts';
import { createTell } from './tell.ts';
import type { Tell } from './tell.ts';
import type { Tags } from './tags.ts';
import { createTransport } from './transport.ts';
import type { Transport } from './transport.ts';
import { createTurns } from './turns.ts';
import type { InTurn } from './turns.ts';
import { indexedDbStore, localStorageStore } from './web-stores.ts';

export type * from './answers.ts';
export type { Achievements } from './achievements.ts';
export type { Config, RemoteConfig } from './config.ts';
export { OverworldError } from './error.ts';
export type { ErrorCode } from './error.ts';
export type { Leaderboards } from './leaderboards.ts';
export type * from './options.ts';
export type { ConflictPolicy, SaveConflict } from './save-conflict.ts';
export type { SaveResult, Saves } from './saves.ts';
export type { Tags } from './tags.ts';
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
   * Resolves when the store has been read; at once with `localStorage`. Calls wait for it by
   * themselves.
   */
  readonly ready: Promise<void>;

  readonly #transport: Transport;
  /** Of calls that set what the player is, so that one that is tried again does not undo a later one. */
  readonly #inTurn: InTurn;
  readonly #sender: EventSender;
  readonly #tell: Tell;
  readonly #stopListening: (() => void)[];
  #sessions: Sessions | undefined;
  /** What was tracked before the store was read. */
  #early: (() => void)[] = [];
  /** Empty while the anonymous one plays. */
  #playerId: string;
  /** Empty until the store has been read. */
  #anonymousId = '';
  #droppedEvents = 0;
  #isClosed = false;

  constructor(options: OverworldOptions) {
    const { baseUrl, apiKey, firstApiKey = apiKey, playerId = '', timeoutMs = 10_000 } = options;
    const store = createKeptStore(options.store ?? localStorageStore() ?? indexedDbStore());
    const prefix = `overworld:${hash(firstApiKey)}:`;
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
        track: (event_name, session_id, at, properties) =>
          this.#sender.append({
            event_name,
            session_id,
            at,
            player_id: this.playerId,
            properties,
          } as KeptEvent),
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

    const { document } = platform;
    this.#stopListening = [
      listen(platform, 'online', () => this.#sender.retryNow()),
      listen(platform, 'pagehide', () => this.#sender.hurry()),
      listen(document, 'visibilitychange', () => {
        if (document?.visibilityState === 'hidden') this.#sender.hurry();
      }),
    ];
  }

  /** Id of the player; empty before `ready` when an anonymous one is read from an asynchronous store. */
  get playerId(): string {
    return this.#playerId || this.#anonymousId;
  }

  /** Events that wait to be sent or are under way. */
  get queuedEvents(): number {
    return this.#sender.length + this.#early.length;
  }

  /** Events that were tracked here and will not be stored; `onDrop` is told of them. */
  get droppedEvents(): number {
    return this.#droppedEvents;
  }

  /**
   * Says who plays from now on, as after a login. Events tracked before keep their player. The id is
   * not kept for the next start: give it as `playerId` then.
   * @example overworld.setPlayerId(account.id);
   */
  setPlayerId(playerId: string): void {
    this.#playerId = playerId;
  }

  /**
   * Tracks an event of the player. Returns at once and never throws: the event is kept in the store
   * and sent with others, also after a reload. `properties` are any JSON of up to 32 KB, as they are
   * now.
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
   * Merges properties into those of the player: each one given replaces the stored one as a whole.
   * @returns all properties of the player.
   * @example await overworld.identify({ name: 'Juno', level: 4 });
   */
  async identify(properties: object): Promise<PlayerProperties['properties']> {
    // As they are now, whatever the game does to them next.
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
   * process; with `localStorage` that is so when `track` returns.
   * @example await overworld.stored();
   */
  async stored(): Promise<void> {
    await this.ready;
    await this.#sender.stored();
  }

  /**
   * Sends all events that wait, also those that earlier pages left. Never rejects.
   * @returns whether all were sent; those that were not are tried again later.
   * @example await overworld.flush();
   */
  async flush(): Promise<boolean> {
    await this.ready;
    return this.#sender.flush();
  }

  /**
   * Ends the session, sends what can be sent within `timeoutMs` (5,000 by default), and stops. What is
   * not sent stays in the store for the next start; without a store it is lost.
   * @example await overworld.close();
   */
  async close({ timeoutMs = 5_000 }: { timeoutMs?: number } = {}): Promise<void> {
    if (this.#isClosed) return;
    await this.ready;
    this.#sessions!.end();
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    await Promise.race([
      this.#sender.flush(),
      new Promise<void>((resolve) => startTimer(resolve, timeoutMs)),
    ]);
    await this.#sender.close();
  }
}

function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193);
  return (value >>> 0).toString(36);
}
