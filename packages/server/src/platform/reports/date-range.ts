import { MAX_REPORT_DAYS, DEFAULT_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { badRequest, notFound } from '../errors.ts';

/** A range of days in a game's time zone, such as `2026-03-01`; both ends are included. */
export interface DateRange {
  from: string;
  to: string;
  time_zone: string;
  today: string;
  /** The start of `from` and the end of `to`, as the API writes times. */
  starts_at: string;
  ends_at: string;
}

/**
 * Reads the range of days of a report, in the time zone of the game.
 * @throws ApiError 400 naming the field, 404 when the game is gone.
 */
export async function readDateRange(
  database: Queryable,
  game_id: string,
  query: { from?: string; to?: string },
): Promise<DateRange> {
  checkDay('from', query.from);
  checkDay('to', query.to);
  const range = await database.queryOne<DateRange & { days: number }>(sql`
    SELECT first::text AS from, last::text AS to, time_zone, today::text AS today,
           last - first + 1 AS days,
           first::timestamp AT TIME ZONE time_zone AS starts_at,
           (last + 1)::timestamp AT TIME ZONE time_zone AS ends_at
    FROM games
    CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE time_zone)::date AS today) AS clock
    CROSS JOIN LATERAL (SELECT COALESCE(${query.to}::date, today) AS last) AS ending
    CROSS JOIN LATERAL (
      SELECT COALESCE(${query.from}::date, last - ${DEFAULT_REPORT_DAYS - 1}::integer) AS first
    ) AS beginning
    WHERE games.id = ${game_id}`);
  if (range === null) throw notFound('Game not found');
  const { days, ...found } = range;
  if (days < 1) throw badRequest('to must not be before from');
  if (days > MAX_REPORT_DAYS) {
    throw badRequest(`from must be at most ${MAX_REPORT_DAYS - 1} days before to`);
  }
  return found;
}

/**
 * Checks that a day exists, in a year that events may have. The contract checks the format.
 * @throws ApiError 400 naming the field.
 */
export function checkDay(name: string, day: string | undefined): void {
  if (day === undefined) return;
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) {
    throw badRequest(`${name} must be a valid date`);
  }
  if (day < '1970-01-01' || day > '2100-12-31') {
    throw badRequest(`${name} must be in the years 1970 to 2100`);
  }
}
