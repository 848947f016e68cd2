import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import { ApiError, badRequest, notFound, unavailable } from '../../../platform/errors.ts';
import type { Idempotency } from '../../../platform/http/idempotency.ts';
import { shorten } from '../../../platform/json/json-text.ts';
import { nameOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { numberOf, readDecimal, writeDecimal } from './decimals.ts';

/** A change of one statistic. */
export interface StatChange {
  key: string;
  /** The aggregation that the statistic is known to have. */
  aggregation: Aggregation;
  /** In millionths. */
  value: bigint;
}

/** Changes of different statistics of one player, which are made together or not at all. */
export interface StatRequest {
  player: PlayerKey;
  changes: readonly StatChange[];
  /** Identifies the request if it may be sent again. */
  sent: (Idempotency & { key_id: string }) | null;
  /** Names the field of a change in refusals. */
  fieldOf: (index: number) => string;
}

/** The requests of a batch about one player. They are stored together, as if one came after the other. */
export interface Unit {
  player: PlayerKey;
  requests: readonly StatRequest[];
  /** The values on which the requests were decided, by key; null if they are not decided yet. */
  expected: ReadonlyMap<string, string | null> | null;
}

/** A statistic of the player of a unit, as the statement that stores the unit has found it. */
export interface FoundStat {
  key: string;
  /** Null if there is no such statistic that calls change, or if it is archived. */
  aggregation: Aggregation | null;
  minimum: string;
  maximum: string;
  /** The value before the changes of the unit; null if the player has none. */
  before: string | null;
  /** The value after them, if they are stored. */
  value: string;
}

/** Everything that the requests of a unit do to one statistic. */
interface Total {
  key: string;
  aggregation: Aggregation;
  /** The value to which the changes join. */
  total: string;
  /**
   * The most by which a `sum` is above its first value after a change that adds; null without one. Of other
   * aggregations the greatest value.
   */
  high: string | null;
  /** The same downwards. */
  low: string | null;
}

/** Groups requests by their players, in the order of the requests. */
export function makeUnits(requests: readonly StatRequest[]): Unit[] {
  const units = new Map<string, StatRequest[]>();
  for (const request of requests) {
    const name = nameOfPlayer(request.player);
    const known = units.get(name);
    if (known === undefined) units.set(name, [request]);
    else known.push(request);
  }
  return Array.from(units.values(), (of_player) => ({
    player: of_player[0]!.player,
    requests: of_player,
    expected: null,
  }));
}

/** Adds up what a unit does to each statistic. */
export function totalsOf({ requests }: Unit): Total[] {
  if (requests.length === 1) return requests[0]!.changes.map(totalOfOne);
  const by_key = new Map<string, StatChange[]>();
  for (const { changes } of requests) {
    for (const change of changes) {
      const known = by_key.get(change.key);
      if (known === undefined) by_key.set(change.key, [change]);
      else known.push(change);
    }
  }
  return Array.from(by_key.values(), (changes) =>
    changes.length === 1 ? totalOfOne(changes[0]!) : totalOfMany(changes),
  );
}

function totalOfOne({ key, aggregation, value }: StatChange): Total {
  const total = writeDecimal(value);
  if (aggregation !== 'sum') return { key, aggregation, total, high: total, low: total };
  return {
    key,
    aggregation,
    total,
    high: value > 0n ? total : null,
    low: value < 0n ? total : null,
  };
}

function totalOfMany(changes: readonly StatChange[]): Total {
  const { key, aggregation } = changes[0]!;
  const values = changes.map(({ value }) => value);
  if (aggregation === 'sum') return { key, aggregation, ...sumUp(values) };
  const high = writeDecimal(values.reduce((a, b) => (a > b ? a : b)));
  const low = writeDecimal(values.reduce((a, b) => (a < b ? a : b)));
  const total = { max: high, min: low, latest: writeDecimal(values.at(-1)!) }[aggregation];
  return { key, aggregation, total, high, low };
}

function sumUp(values: readonly bigint[]): Pick<Total, 'total' | 'high' | 'low'> {
  let total = 0n;
  let high: bigint | null = null;
  let low: bigint | null = null;
  for (const value of values) {
    total += value;
    if (value > 0n && (high === null || total > high)) high = total;
    if (value < 0n && (low === null || total < low)) low = total;
  }
  const write = (sum: bigint | null) => (sum === null ? null : writeDecimal(sum));
  return { total: writeDecimal(total), high: write(high), low: write(low) };
}

/** The values that a request's statistics have after it, in the order of its changes. */
export type NewValues = readonly number[];

/**
 * Decides the requests of a unit one after the other, by the values that the player had before.
 * @returns for each request its new values, or the error if it is refused.
 */
export function decideInOrder(
  { requests }: Unit,
  found: ReadonlyMap<string, FoundStat>,
): (NewValues | ApiError)[] {
  const values = new Map<string, bigint | null>();
  for (const { key, before } of found.values()) {
    values.set(key, before === null ? null : readDecimal(before));
  }
  return requests.map(({ changes, fieldOf }) => {
    const after: bigint[] = [];
    for (const [index, change] of changes.entries()) {
      const next = decide(change, found.get(change.key)!, values.get(change.key)!, () =>
        fieldOf(index),
      );
      if (next instanceof ApiError) return next;
      after.push(next);
    }
    changes.forEach(({ key }, index) => values.set(key, after[index]!));
    return after.map(numberOf);
  });
}

function decide(
  { key, aggregation, value }: StatChange,
  stat: FoundStat,
  before: bigint | null,
  field: () => string,
): bigint | ApiError {
  if (stat.aggregation === null) return unknownStat(field().replace(/\.value$/, '.key'), key);
  if (stat.aggregation !== aggregation) {
    return unavailable('The statistic was just changed, try again in a second');
  }
  const next = aggregation === 'sum' ? (before ?? 0n) + value : value;
  const rises = aggregation !== 'sum' || value > 0n;
  const falls = aggregation !== 'sum' || value < 0n;
  const refuse = (bound: string) =>
    badRequest(`${field()}: ${shorten(key)} must be ${bound}, and would be ${numberOf(next)}`, {
      code: 'STAT_OUT_OF_BOUNDS',
      key,
      ...(before === null && aggregation !== 'sum' ? {} : { value: numberOf(before ?? 0n) }),
    });
  if (rises && next > readDecimal(stat.maximum)) return refuse(`at most ${Number(stat.maximum)}`);
  if (falls && next < readDecimal(stat.minimum)) return refuse(`at least ${Number(stat.minimum)}`);
  return join(aggregation, before, next);
}

function join(aggregation: Aggregation, before: bigint | null, next: bigint): bigint {
  if (before === null) return next;
  if (aggregation === 'max') return next > before ? next : before;
  if (aggregation === 'min') return next < before ? next : before;
  return next;
}

/** The error 400 for a statistic that calls cannot change. */
export const movedByEvents = (field: string, key: string): ApiError =>
  badRequest(`${field}: ${shorten(key)} is moved by events alone`);

/** The error 404 for a key that no statistic of the game has. */
export const unknownStat = (field: string, key: string): ApiError =>
  notFound(`${field}: the game has no statistic "${shorten(key)}"`);
