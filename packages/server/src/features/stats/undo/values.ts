import { MAX_STAT_VALUE } from '@overworld/contract/stats/stat-limits';
import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { StatQuestion } from '@overworld/contract/stats/restorations';
import type { Queryable } from '../../../platform/database/database.ts';
import { literal, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfRestoration } from '../../../platform/restorations/restoration.ts';
import { joinedRows } from '../sources/hours-of-events.ts';
import type { Bounds } from './bounds.ts';
import type { StatRestoration } from './restoration.ts';

/** The value of one statistic of a player. */
export interface AskedValue {
  player_id: string;
  key: string;
  aggregation: Aggregation;
}

/** A value as it is, and as it would be. */
export interface FoundValue {
  /** The present value, as PostgreSQL writes decimals; null if there is none. */
  value: string | null;
  /** The value after; null if nothing is left of which it could be joined. */
  after: string | null;
  /** When the last of the changes was of which it is joined. */
  changed_at: string | null;
  /** True if there are changes in the hours of the question. */
  has_changes: boolean;
}

/** SQL that is true for rows of the statistic of a player that a row of `asked` names. */
export const isOfValue = ({ game_id, environment }: StatRestoration, row: Sql, asked: Sql): Sql =>
  sql`${row}.game_id = ${game_id} AND ${row}.environment = ${environment}
    AND ${row}.player_id = ${asked}.player_id AND ${row}.key = ${asked}.key`;

/** SQL that is true for hours that a restoration takes back. */
export const isAskedHour = ({ changed_from, changed_until }: StatQuestion): Sql =>
  sql`hour >= ${changed_from}::timestamptz AND hour < ${changed_until}::timestamptz`;

/** SQL of rows with the columns `player_id`, `key` and `aggregation`. */
export const valuesAsked = (asked: readonly AskedValue[]): Sql =>
  sql`unnest(${asked.map(({ player_id }) => player_id)}::text[],
             ${asked.map(({ key }) => key)}::text[],
             ${asked.map(({ aggregation }) => aggregation)}::text[])`;

/** SQL of the hours that a restoration has taken from the item `item`. */
export const takenHours = sql`
  jsonb_to_recordset(item.taken) AS taken (hour timestamptz, value numeric, changed_at timestamptz)`;

const HOURS = sql`hours`;
const ASKED = sql`asked`;

/**
 * Reads values, and computes what they would be without the changes of the hours of a restoration, or, for an
 * undo, with those that it has taken.
 */
export async function readValues(
  database: Queryable,
  restoration: StatRestoration,
  asked: readonly AskedValue[],
): Promise<FoundValue[]> {
  const is_asked_hour = isAskedHour(restoration.question);
  const hours = sql`
    SELECT value, changed_at FROM player_stat_hours AS hours
    WHERE ${isOfValue(restoration, HOURS, ASKED)}`;
  const parts =
    restoration.state === 'undoing'
      ? sql`${hours}
        UNION ALL
        SELECT value, changed_at
        FROM (SELECT taken FROM restored_stats
              WHERE ${isOfRestoration(restoration)} AND player_id = asked.player_id
                AND key = asked.key) AS item
        CROSS JOIN LATERAL ${takenHours}`
      : sql`${hours} AND NOT (${is_asked_hour})`;
  return database.query<FoundValue>(sql`
    SELECT known.value, rest.value AS after, rest.changed_at::text AS changed_at,
           EXISTS (
             SELECT FROM player_stat_hours AS hours
             WHERE ${isOfValue(restoration, HOURS, ASKED)} AND ${is_asked_hour}
           ) AS has_changes
    FROM ${valuesAsked(asked)} WITH ORDINALITY AS asked (player_id, key, aggregation, number)
    LEFT JOIN LATERAL (
      SELECT value, base, base_at FROM player_stats AS had
      WHERE ${isOfValue(restoration, sql`had`, ASKED)}
      OFFSET 0
    ) AS known ON true
    CROSS JOIN LATERAL (
      SELECT ${joinedRows} AS value, max(changed_at) AS changed_at
      FROM (
        ${parts}
        UNION ALL
        SELECT base, base_at WHERE base IS NOT NULL
      ) AS part
    ) AS rest
    ORDER BY number`);
}

/**
 * Lists the bounds of statistics that can be restored, by their keys; others are left out.
 * @param lock The lock on their definitions; none by default.
 */
export async function listBounds(
  database: Queryable,
  game_id: string,
  keys: readonly string[],
  lock: Sql = sql``,
): Promise<ReadonlyMap<string, Bounds & { aggregation: Aggregation }>> {
  const most = literal(MAX_STAT_VALUE);
  const rows = await database.query<Bounds & { key: string; aggregation: Aggregation }>(sql`
    SELECT key, aggregation, GREATEST(minimum, -${most}) AS minimum, LEAST(maximum, ${most}) AS maximum
    FROM stats
    WHERE game_id = ${game_id} AND key = ANY(${[...keys]}::text[]) AND NOT archived AND source IS NULL
    ORDER BY key ${lock}`);
  return new Map(rows.map(({ key, ...bounds }) => [key, bounds]));
}
