import type { PlayerProperties } from './answers.ts';
import type { Account } from './calls/account.ts';
import type { Achievements } from './calls/achievements.ts';
import type { Config } from './calls/config.ts';
import type { Leaderboards } from './calls/leaderboards.ts';
import type { Messages } from './calls/messages.ts';
import type { Saves } from './calls/saves.ts';
import type { Stats } from './calls/stats.ts';
import type { Tags } from './calls/tags.ts';
import type { Tracker } from './events/tracker.ts';
import { localStorageStore } from './stores/local-storage-store.ts';
import type { OverworldOptions } from './options.ts';
import { checkOptions } from './http/check-options.ts';
import type { Parts } from './parts.ts';
import { createParts } from './parts.ts';
import { copyOf } from './stores/kept-store.ts';

export type * from './answers.ts';
export type { Achievements } from './calls/achievements.ts';
export type { Config, ConfigValue, RemoteConfig } from './calls/config.ts';
export { OverworldError } from './http/error.ts';
export type { ErrorCode } from './http/error.ts';
export type { Leaderboards } from './calls/leaderboards.ts';
export type { ListedMessages, Messages } from './calls/messages.ts';
export type * from './options.ts';
export type { ConflictPolicy, SaveConflict } from './calls/save-conflict.ts';
export type { Account, Credentials, PlayerLogin } from './calls/account.ts';
export type { LoadedSave, SaveResult, Saves } from './calls/saves.ts';
export type { Stats } from './calls/stats.ts';
export type { Tags } from './calls/tags.ts';
export { localStorageStore };

/**
 * A client of an Overworld server, for one player at a time. Make one client when the game starts, and
 * keep it.
 *
 * @example
 * const overworld = new Overworld({ baseUrl: 'https://play.example.com', apiKey: 'ow_live_…' });
 * overworld.track('level_complete', { level: 1, stars: 3 });
 */
export class Overworld {
  declare readonly tags: Tags;
  declare readonly saves: Saves;
  declare readonly stats: Stats;
  declare readonly achievements: Achievements;
  declare readonly leaderboards: Leaderboards;
  declare readonly config: Config;
  declare readonly messages: Messages;
  declare readonly account: Account;
  readonly #parts: Parts;
  #ready = Promise.resolve();
  /** Undefined while tracking is not enabled. */
  #tracker: Tracker | undefined;
  #isClosed = false;

  /** @throws TypeError if the URL or the key cannot be right. */
  constructor(options: OverworldOptions) {
    checkOptions(options);
    this.#parts = createParts(options, this);
    Object.assign(this, this.#parts.features);
    this.trackingEnabled = options.trackingEnabled !== false;
  }

  /**
   * True if the player has agreed to be tracked. A change to true starts a session. A change to false
   * forgets the session and stops all requests; the anonymous player and waiting events stay on the device.
   * @example overworld.trackingEnabled = true;
   */
  get trackingEnabled(): boolean {
    return this.#tracker !== undefined;
  }

  set trackingEnabled(isEnabled: boolean) {
    if (isEnabled === this.trackingEnabled || this.#isClosed) return;
    void this.#tracker?.close();
    this.#tracker = undefined;
    if (!isEnabled) return;
    const { store, names, logins, config, messages, kept } = this.#parts;
    const tracker = this.#parts.makeTracker();
    this.#tracker = tracker;
    const open = (texts: (string | null)[]) => {
      if (tracker !== this.#tracker) return;
      const [identity, earlier_id, login, session, values, listed] = texts;
      logins.open(identity, earlier_id, login);
      config.open(values);
      messages.open(listed);
      tracker.open(session, isSync);
      kept.open();
    };
    const own = ['login', 'session', 'config', 'messages'].map((name) => names.prefix + name);
    const keys = [names.identity, names.earlier_identity, ...own];
    const reads = keys.map((key) => store.read(key));
    const isSync = !reads.some((read) => read instanceof Promise);
    if (isSync) open(reads as (string | null)[]);
    else this.#ready = Promise.all(reads).then(open);
  }

  /**
   * Resolves when the store has been read, which is immediate with `localStorage`. All calls wait for this
   * by themselves.
   */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Id of the player. While an asynchronous store is being read, the id of an anonymous player is empty. */
  get playerId(): string {
    return this.#parts.player.id;
  }

  /** Number of scores, changes of statistics, unlocks and saves that wait on the device for the network. */
  get queuedCalls(): number {
    return this.#parts.kept.length;
  }

  /** Number of events that wait or are being sent. */
  get queuedEvents(): number {
    return this.#tracker?.length ?? 0;
  }

  /** Number of events that were tracked here but will not be stored; `onDrop` gets each of them. */
  get droppedEvents(): number {
    return this.#parts.tell.dropped;
  }

  /**
   * Sets the player from now on, for example after a login. Events that were tracked before stay events of
   * the previous player. The id is not stored: pass it as `playerId` at the next start.
   * @example overworld.setPlayerId(account.id);
   */
  setPlayerId(playerId: string): void {
    this.#parts.player.given = playerId;
  }

  /**
   * Tracks an event of the player. Returns immediately and never throws: the event is kept in the store
   * and sent together with others, even after a reload. `properties` may be any JSON of up to 32 KB. If
   * the object changes later, the event does not change.
   * @example overworld.track('item_bought', { item: 'lantern', price: 30 });
   */
  track(eventName: string, properties?: object): void {
    try {
      if (this.#isClosed) this.#parts.tell.drop('closed', []);
      else this.#tracker?.track(eventName, properties);
    } catch {
      this.#parts.tell.drop('unsendable', []);
    }
  }

  /**
   * Merges properties into those of the player: each property replaces the stored one as a whole.
   * @returns all properties of the player.
   * @example await overworld.identify({ name: 'Juno', level: 4 });
   */
  async identify(properties: object): Promise<PlayerProperties['properties']> {
    const { inTurn, transport } = this.#parts;
    const given = copyOf({ properties });
    const answer = await inTurn((player_id) => {
      const body = { ...given, player_id };
      return transport.ask<PlayerProperties>('identify', 'properties', { body }, player_id);
    });
    return answer.properties;
  }

  /**
   * Waits until the store has taken or refused all events tracked so far. `localStorage` has them as soon as
   * `track` returns.
   * @returns true if all events that wait are in the store, so they survive the end of the process.
   * @example await overworld.stored();
   */
  async stored(): Promise<boolean> {
    await this.#ready;
    return (await this.#tracker?.written()) ?? true;
  }

  /**
   * Sends all waiting events and calls, also those that earlier pages left. Never rejects.
   * @returns true if all were sent. The SDK tries the others again later.
   * @example await overworld.flush();
   */
  async flush(): Promise<boolean> {
    await this.#ready;
    if (!this.#tracker) return false;
    const areCallsSent = await this.#parts.kept.flush();
    return !!(await this.#tracker?.flush()) && areCallsSent;
  }

  /**
   * Ends the session, sends events for at most `timeoutMs` (5,000 by default), and stops. Unsent
   * events stay in the store for the next start; without a store they are lost.
   * @example await overworld.close();
   */
  async close({ timeoutMs = 5_000 }: { timeoutMs?: number } = {}): Promise<void> {
    if (this.#isClosed) return;
    await this.#ready;
    this.#isClosed = true;
    this.#parts.messages.close();
    await this.#parts.kept.close();
    await this.#tracker?.close(timeoutMs);
  }
}
