import type { Environment } from '@overworld/contract/common';
import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { toSql } from '../../../platform/property-conditions.ts';
import type { SentConditions } from '../../../platform/property-conditions.ts';

/** Which events a report is about. */
export interface EventSelection {
  game_id: string;
  environment: Environment;
  /** They occurred from then on, and before that. */
  starts_at: string;
  ends_at: string;
}

/** Events of one name with conditions on their properties. */
export interface EventChoice extends SentConditions {
  event_name: string;
}

/**
 * When an event may have been received that occurred at a time: see `occurred_at`. What was received
 * decides which partitions and which part of an index are read.
 */
export const EARLIEST_RECEIPT_MS = -3_600_000;
export const LATEST_RECEIPT_MS = 90 * 86_400_000;

/** Conditions that choose the events of a game that occurred within the range. */
export function inRange({ game_id, environment, starts_at, ends_at }: EventSelection): Sql {
  return sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment
    AND occurred_at >= ${starts_at}::timestamptz AND occurred_at < ${ends_at}::timestamptz`;
}

/** The same, for statements that read all of it at once. */
export function received(selection: EventSelection): Sql {
  const { first_ms, last_ms } = receiptRange(selection);
  return sql`received_at >= ${new Date(first_ms).toISOString()}::timestamptz
    AND received_at < ${new Date(last_ms).toISOString()}::timestamptz`;
}

/** When the events of a range were received at the earliest and, excluded, at the latest. */
export function receiptRange({ starts_at, ends_at }: EventSelection) {
  const first_ms = Date.parse(starts_at) + EARLIEST_RECEIPT_MS;
  const last_ms = Date.parse(ends_at) + LATEST_RECEIPT_MS;
  return { first_ms, last_ms };
}

/** Whether an event is one of a choice. */
export const matches = (choice: EventChoice): Sql =>
  joinSql([sql`event_name = ${choice.event_name}::text`, ...toSql(choice)], ' AND ');

/** Whether an event of the right name is one of a choice. */
export const matchesFilter = (choice: EventChoice): Sql =>
  joinSql([sql`true`, ...toSql(choice)], ' AND ');
