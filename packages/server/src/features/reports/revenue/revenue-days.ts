import { CONVERSION_DAYS } from '@overworld/contract/analytics/currencies';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { addDays, daysBetween } from '../days.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';

/** A span of days, given by the indexes of its first and last day in the `days` of a report. */
export interface Span {
  first: number;
  last: number;
}

export async function readRevenueDays(
  database: ExploreDatabase,
  tenant: Tenant,
  { from, to, today, time_zone }: DateRange,
  signal: AbortSignal,
) {
  const asked = daysBetween(from, to) + 1;
  const over = Math.min(asked, Math.max(0, daysBetween(from, today)));
  const compared = over === 0 ? asked : over;
  const longest = CONVERSION_DAYS.at(-1)!;
  const first = addDays(from, -compared);
  const last = [addDays(to, longest), to > today ? to : today].toSorted()[0]!;
  const rows = await database.query<Row>(
    sql`
      SELECT day::text AS day, start_at,
             (extract(epoch FROM start_at - '2000-01-01 00:00:00Z'::timestamptz) * 1000000)::bigint
               AS start_us,
             COALESCE(active_players, 0) AS active_players, COALESCE(new_players, 0) AS new_players
      FROM (SELECT ${first}::date + place AS day
            FROM generate_series(0, ${last}::date - ${first}::date + 1) AS place) AS calendar
      CROSS JOIN LATERAL (SELECT day::timestamp AT TIME ZONE ${time_zone}::text AS start_at) AS start
      LEFT JOIN (SELECT day, active_players, new_players FROM daily_players
                 WHERE ${isOfTenant(tenant)}) AS players USING (day)
      ORDER BY day`,
    signal,
  );
  const days = rows.slice(0, -1);
  const range = { first: compared, last: compared + asked - 1 };
  return {
    days: days.map(({ day }) => day),
    /**
     * The moment at which each day begins, and the moment at which the last day ends, in microseconds since
     * 2000.
     */
    starts: Float64Array.from(rows, ({ start_us }) => start_us),
    starts_at: rows[0]!.start_at,
    ends_at: rows.at(-1)!.start_at,
    range,
    /** The part of the range that is over. If no day of it is over, this is the whole range. */
    period: { first: range.first, last: range.first + compared - 1 },
    previous: { first: 0, last: compared - 1 },
    active_players: Uint32Array.from(days, ({ active_players }) => active_players),
    new_players: Uint32Array.from(days, ({ new_players }) => new_players),
  };
}

/**
 * The days that a report reads: the days with which the range is compared, the days of the range, and the
 * later days on which its new players may still make their first purchase.
 */
export type RevenueDays = Awaited<ReturnType<typeof readRevenueDays>>;

interface Row {
  day: string;
  start_at: string;
  start_us: number;
  active_players: number;
  new_players: number;
}

/**
 * Makes the function that finds the index of the day of a time. Times before the first day count as the first
 * day.
 */
export function createDayFinder(starts: Float64Array): (time: number) => number {
  let last = 0;
  return (time) => {
    // The time is usually on the same day as the time of the previous call.
    if (time >= starts[last]! && time < starts[last + 1]!) return last;
    let low = 0;
    let high = starts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return (last = low);
  };
}
