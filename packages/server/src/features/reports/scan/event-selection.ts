import type { Environment } from '@overworld/contract/common';
import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { toSql } from '../../../platform/property-conditions.ts';
import type { SentConditions } from '../../../platform/property-conditions.ts';

/** The events that a report is about. */
export interface EventSelection {
  game_id: string;
  environment: Environment;
  /** The events occurred at or after `starts_at` and before `ends_at`. */
  starts_at: string;
  ends_at: string;
  /** Only events that were received before this time count; if left out, all events count. */
  received_until?: string;
}

/** Chooses the events that have a given name and whose properties meet given conditions. */
export interface EventChoice extends SentConditions {
  event_name: string;
}

/**
 * The earliest and the latest receipt of an event, in milliseconds after its `occurred_at`.
 * The time of receipt decides which partitions and which part of an index are read.
 */
const EARLIEST_RECEIPT_MS = -3_600_000;
const LATEST_RECEIPT_MS = 90 * 86_400_000;

/** SQL that is true for events of the game that occurred within the range. */
export function inRange({ game_id, environment, starts_at, ends_at }: EventSelection): Sql {
  return sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment
    AND occurred_at >= ${starts_at}::timestamptz AND occurred_at < ${ends_at}::timestamptz`;
}

/** Returns the range of times in which the events of a selection can have been received. */
export function receiptRange({ starts_at, ends_at, received_until }: EventSelection) {
  const first_ms = Date.parse(starts_at) + EARLIEST_RECEIPT_MS;
  const last_ms = Date.parse(ends_at) + LATEST_RECEIPT_MS;
  const until_ms = received_until === undefined ? Infinity : Date.parse(received_until);
  return { first_ms, last_ms: Math.min(last_ms, until_ms) };
}

/** SQL that is true for events that meet all conditions. */
export const matchesFilter = (conditions: SentConditions): Sql =>
  joinSql([sql`true`, ...toSql(conditions)], ' AND ');
