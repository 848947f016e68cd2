import type { EventViolation } from './answers.ts';
import type { OverworldError } from './error.ts';

/**
 * Where waiting events, the anonymous player's id and the last config are kept. React Native's
 * `AsyncStorage` is one as it is; so is a Map with these four methods. A store belongs to one
 * process at a time unless it says that it is `shared`.
 */
export interface OverworldStore {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  getAllKeys(): readonly string[] | Promise<readonly string[]>;
  /** Whether other tabs, workers or processes use it at the same time. */
  readonly shared?: boolean;
}

/** Why events will not be stored. */
export type DropReason =
  /** The queue was full; these were its oldest. */
  | 'queue_full'
  /** The server refuses them: `message` and `violations` say why. */
  | 'rejected'
  /** The monthly event quota of the game is used up. */
  | 'quota_exceeded'
  /** Sent, never answered, and now so old that sending again might store them twice. */
  | 'outcome_unknown'
  /** No JSON (a cycle, a BigInt), or more than 50 kB. */
  | 'unsendable'
  /** Tracked after `close()`. */
  | 'closed';

/** An event as it is sent. */
export interface QueuedEvent {
  event_name: string;
  session_id: string;
  player_id: string;
  properties?: { [key: string]: unknown };
  client_timestamp: string;
}

/** Events that were tracked and will not be stored. */
export interface DroppedEvents {
  reason: DropReason;
  /** How many; `events` lacks those that were no JSON or came after `close()`. */
  count: number;
  events: QueuedEvent[];
  /** What the server said, where it refused them. */
  message?: string;
  /** With `rejected`: what is wrong with each, by its index in `events`; empty where it did not say. */
  violations?: EventViolation[];
}

export interface OverworldOptions {
  /** Address of the server, such as `https://play.example.com`. */
  baseUrl: string;
  /** API key of the game, made in the dashboard. */
  apiKey: string;
  /**
   * The API key that the game was first shipped with, where `apiKey` has replaced it since. What is on
   * the device, such as the anonymous player and waiting events, is kept under the first.
   */
  firstApiKey?: string;
  /**
   * Id of the player. Left out, an anonymous player is made and kept in the store, the same at every
   * start on this device.
   */
  playerId?: string;
  /** `localStorage` where there is one, else IndexedDB, else memory alone. */
  store?: OverworldStore;
  /** How long an event waits for others to be sent with; 5,000 by default. */
  flushIntervalMs?: number;
  /** Events that wait at most, 5,000 by default; beyond it the oldest are dropped. */
  maxQueuedEvents?: number;
  /** How long one request may take; 10,000 by default. */
  timeoutMs?: number;
  /** Told of events that were tracked and will not be stored. */
  onDrop?: (dropped: DroppedEvents) => void;
  /** Told of events that were stored and break the schema that the dashboard has for them. */
  onWarning?: (warnings: EventViolation[]) => void;
  /** Told when events could not be sent, before they are tried again. */
  onError?: (error: OverworldError) => void;
}
