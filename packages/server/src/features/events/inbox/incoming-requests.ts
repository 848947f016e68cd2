import type { EventViolation } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';

export interface IncomingRequest {
  caller: KeyCaller;
  event_count: number;
  /** The events as one JSON list. */
  text: string;
  /** Problems that schema validation found; the answer lists only the problems of stored events. */
  warnings: readonly EventViolation[];
  /** A request with an idempotency key is stored once, however often it is sent. */
  idempotency: Idempotency | null;
}

export interface Idempotency {
  /** SHA-256 of the `Idempotency-Key`, hexadecimal. */
  key: string;
  /** SHA-256 of the body, hexadecimal. */
  body_hash: string;
}

/** The part of a request that was stored. */
export interface StoredRequest {
  /** The number of events that were stored. They are the first events of the request. */
  received: number;
  /** The number of events that the game has stored this month, including this request. */
  used: number;
  quota: number;
  month_ends_in_ms: number;
}

/** The answer that an earlier request with the same key got. */
export interface FirstAnswer {
  body_hash: string;
  /** JSON text, with the warnings of all events that were sent. */
  answer: string;
}

/** A game whose events were counted. */
export interface CountedGame {
  game_id: string;
  /** The number of events of the game this month, with the accepted ones. */
  used: number;
  accepted: number;
  month_ends_in_ms: number;
}

/**
 * The callers of a batch. Each caller is listed once, because the requests of a batch mostly come from a
 * small number of API keys.
 */
export interface Callers {
  list: readonly KeyCaller[];
  /** The place of each request's caller in the list, counted from 1. */
  numbers: readonly number[];
  /** The quota of each game. If requests of a game name different quotas, the last request decides. */
  quotas: ReadonlyMap<string, number>;
}

export function findCallers(requests: readonly IncomingRequest[]): Callers {
  const list: KeyCaller[] = [];
  const known = new Map<string, number>();
  const quotas = new Map<string, number>();
  const numbers = requests.map(({ caller }) => {
    quotas.set(caller.game_id, caller.event_quota);
    const number = known.get(caller.key_id) ?? list.push(caller);
    known.set(caller.key_id, number);
    return number;
  });
  return { list, numbers, quotas };
}

/** Divides the accepted events of each game among its requests, in the order of the requests. */
export function shareAccepted(
  requests: readonly IncomingRequest[],
  { quotas }: Callers,
  counted: readonly CountedGame[],
): StoredRequest[] {
  const games = new Map(counted.map((game) => [game.game_id, { ...game, preceding: 0 }]));
  return requests.map(({ caller, event_count }) => {
    const game = games.get(caller.game_id)!;
    const { used, accepted, preceding, month_ends_in_ms } = game;
    game.preceding += event_count;
    const received = Math.max(0, Math.min(event_count, accepted - preceding));
    const used_after = used - accepted + Math.min(accepted, preceding + received);
    return { received, used: used_after, quota: quotas.get(caller.game_id)!, month_ends_in_ms };
  });
}
