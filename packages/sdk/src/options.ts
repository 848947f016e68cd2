import type { ConflictPolicy } from './calls/save-conflict.ts';
import type { EventViolation, PlayerMessage } from './answers.ts';
import type { OverworldError } from './http/error.ts';

/**
 * A store for waiting events, the anonymous player's id and the last config.
 * `AsyncStorage` of React Native can be used unchanged, and so can a Map to which these
 * four methods are added. Only one process at a time may use a store that is not `shared`.
 */
export interface OverworldStore {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  getAllKeys(): readonly string[] | Promise<readonly string[]>;
  /** True if other tabs, workers or processes use the store at the same time. */
  readonly shared?: boolean;
}

/** The reasons why events are not stored. */
export type DropReason =
  /** The queue was full, and these events were the oldest in it. */
  | 'queue_full'
  /** The server refused the events: `message` and `violations` say why. */
  | 'rejected'
  /** The monthly event quota of the game is used up. */
  | 'quota_exceeded'
  /**
   * The events were sent but never answered. By now they are too old: if they were sent again, they could
   * be stored twice.
   */
  | 'outcome_unknown'
  /** The events cannot be written as JSON (a cycle, a BigInt), or have more than 50 kB. */
  | 'unsendable'
  /** The events were tracked after `close()`. */
  | 'closed';

/** An event as it is sent. */
export interface QueuedEvent {
  event_name: string;
  session_id: string;
  player_id: string;
  properties?: { [key: string]: unknown };
  client_timestamp: string;
}

/** Events that were tracked but will not be stored. */
export interface DroppedEvents {
  reason: DropReason;
  /**
   * The number of events. It includes events that `events` lacks, because they cannot be written as JSON
   * or came after `close()`.
   */
  count: number;
  events: QueuedEvent[];
  /** The server's error message, if it refused the events. */
  message?: string;
  /**
   * With `rejected`: the errors, each with the index of its event in `events`. Empty if the answer of the
   * server does not name the events with errors.
   */
  violations?: EventViolation[];
}

export interface OverworldOptions {
  /** URL of the server, such as `https://play.example.com`. */
  baseUrl: string;
  /** API key of the game, made in the dashboard. */
  apiKey: string;
  /**
   * Name of the game in the store, such as `moonward`. Never change this name. With a name, everything that
   * is stored on the device survives a new API key. Without a name, only the anonymous player survives a new
   * key, and all games that share a store share this player. In this case, waiting events and calls are
   * stored under the API key, so those of one game never go to another game.
   */
  storeName?: string;
  /**
   * The API key of the game's first release, if that release
   * had no `storeName` and the key has changed since.
   */
  firstApiKey?: string;
  /**
   * Id of the player. Without it, the SDK makes an anonymous player. The store keeps
   * the id of this player, so the player stays the same at every start on this device.
   */
  playerId?: string;
  /** By default `localStorage`, or only memory if there is no `localStorage`. */
  store?: OverworldStore | null;
  /** Milliseconds for which an event waits for more events; 5,000 by default. */
  flushIntervalMs?: number;
  /** Largest number of waiting events, 5,000 by default. If there are more, the oldest are dropped. */
  maxQueuedEvents?: number;
  /**
   * Time limit of a request in milliseconds; 10,000 by default. `exportData` and `erasePlayer` have two
   * minutes at least.
   */
  timeoutMs?: number;
  /**
   * True if the anonymous player logs in automatically, with a secret that this device makes; true
   * by default. Once the game requires logins, nobody without this secret can act as this player.
   */
  deviceLogin?: boolean;
  /**
   * Resolves conflicts of saves that were made without an `onConflict`,
   * and of saves that wait in the store since an earlier start.
   *
   * @example
   * onSaveConflict: ({ ours, theirs }: SaveConflict<Progress>) => ({
   *   level: Math.max(ours.level, theirs.level),
   * }),
   */
  // With `object` or `unknown` in place of `any`, no function with a type of its own could be given.
  // oxlint-disable-next-line no-explicit-any
  onSaveConflict?: ConflictPolicy<any, object>;
  /**
   * Called with unread messages of the studio that no earlier list had. With this function, the client looks for
   * messages at the start and every five minutes.
   * @example onMessages: (messages) => showBadge(messages.length),
   */
  onMessages?: (messages: PlayerMessage[]) => void;
  /**
   * Version of the game. It is sent as a property of `session_start`, together with `platform`, and with each
   * save, so that the dashboard can find the saves that a bad build has made. Saves take only versions of at
   * most 64 printable characters of ASCII.
   */
  appVersion?: string;
  /**
   * True if the player has agreed to be tracked; true by default. While it is false, nothing is stored
   * on the device and no request is made: `track` does nothing, and calls throw `tracking_disabled`.
   * Set `overworld.trackingEnabled` when the player decides.
   */
  trackingEnabled?: boolean;
  /** Called with events that were tracked but will not be stored. */
  onDrop?: (dropped: DroppedEvents) => void;
  /** Called with warnings about stored events that break their schema. */
  onWarning?: (warnings: EventViolation[]) => void;
  /**
   * Called when events could not be sent (the SDK tries again), when the server refused a call that had
   * waited in the store, when a login failed, and once when the store is full or blocked (`store_failed`).
   */
  onError?: (error: OverworldError) => void;
  /**
   * Called with the id of the next start's player when another tab or client on the same store has logged in
   * as another player or has logged out. This client stays its own player. To play as the other one, start
   * anew: `onOtherPlayer: () => location.reload()`. Pages with `localStorage` are told immediately, other
   * clients with their next call.
   */
  onOtherPlayer?: (playerId: string) => void;
}
