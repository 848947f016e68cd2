import type { getEventCounts as operation } from '@overworld/contract/analytics/events';
import { MAX_HOURLY_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { badRequest } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { Slice, SliceInputs } from '../../../platform/reports/player-slices.ts';
import { calendar, isOfDays, sum } from '../days.ts';

type EventCounts = SuccessOf<typeof operation>;
type Period = EventCounts['by'];

interface EventFilter {
  event_name?: string;
  key_id?: string;
}

/**
 * Counts events by name and period. Only the most frequent names have counts of their own.
 * @throws ApiError 400 when the range is too long for hours.
 */
export async function getEventCounts(
  database: Queryable,
  tenant: Tenant,
  range: DateRange,
  { by, limit, ...filter }: EventFilter & { by: Period; limit: number },
  slice: Slice<'events'> | null,
): Promise<EventCounts> {
  const { from, to, time_zone } = range;
  checkPeriods(range, by);
  const all = await listPeriods(database, range, by);
  const periods = all.map(({ period }) => period);
  const groups = (slice?.groups ?? []).map(({ rows: [row], ...label }) => ({
    ...label,
    event_count: sum(row!.counts),
    counts: row!.counts,
  }));
  const finish = (counted: Pick<EventCounts, 'counts' | 'events' | 'other_name_count'>) => {
    const event_count = sum(counted.counts);
    const days = { from, to, time_zone, by, periods };
    return cutToBegun(all, { ...days, event_count, ...counted, groups });
  };
  if (slice !== null && slice.total !== null) {
    const total = slice.total;
    const events = total.flatMap(({ event_name, counts }) =>
      event_name === null ? [] : [{ event_name, event_count: sum(counts), counts }],
    );
    const counts = periods.map((_period, place) => sum(total.map((row) => row.counts[place]!)));
    const other_name_count = slice.name_count - events.length;
    return finish({ counts, events, other_name_count });
  }
  const places = new Map(periods.map((period, place) => [period, place]));
  const source = by === 'day' ? byDay(tenant, range, filter) : byHour(tenant, range, filter);
  const rows = await listCounts(database, source, limit);

  const counts = periods.map(() => 0);
  const names = new Map<string, EventCounts['events'][number]>();
  for (const { event_name, period, event_count } of rows) {
    const place = places.get(period)!;
    counts[place]! += event_count;
    if (event_name === null) continue;
    let row = names.get(event_name);
    if (row === undefined) {
      row = { event_name, event_count: 0, counts: periods.map(() => 0) };
      names.set(event_name, row);
    }
    row.event_count += event_count;
    row.counts[place] = event_count;
  }
  const events = [...names.values()].toSorted((a, b) => b.event_count - a.event_count);
  const other_name_count = (rows[0]?.name_count ?? 0) - names.size;
  return finish({ counts, events, other_name_count });
}

/**
 * Leaves out periods that have not begun, unless they have events. A client whose clock is up to an hour
 * fast sends such events.
 */
function cutToBegun(all: readonly { has_begun: boolean }[], report: EventCounts): EventCounts {
  const length =
    1 + all.findLastIndex(({ has_begun }, place) => has_begun || report.counts[place]! > 0);
  const cut = <Row extends { counts: number[] }>(row: Row): Row => ({
    ...row,
    counts: row.counts.slice(0, length),
  });
  return {
    ...cut(report),
    periods: report.periods.slice(0, length),
    events: report.events.map(cut),
    groups: report.groups.map(cut),
  };
}

/** @throws ApiError 400 when the range is too long for hours. */
function checkPeriods({ from, to }: DateRange, by: Period): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (by === 'hour' && days > MAX_HOURLY_REPORT_DAYS) {
    throw badRequest(
      `from must be at most ${MAX_HOURLY_REPORT_DAYS - 1} days before to, by the hour`,
    );
  }
}

/**
 * Makes the input for counts of the events of only some players (a slice of the events).
 * @throws ApiError 400 when the range is too long for hours.
 */
export async function eventSliceInput(
  database: Queryable,
  range: DateRange,
  query: EventFilter & { by: Period; limit: number },
): Promise<SliceInputs['events']> {
  const { by, limit, event_name = null, key_id = null } = query;
  checkPeriods(range, by);
  const periods =
    by === 'hour'
      ? (await listPeriods(database, range, by)).map(({ period }) => period)
      : await listDayStarts(database, range);
  return { event_name, key_id, periods, names: limit };
}

async function listDayStarts(database: Queryable, { from, to, time_zone }: DateRange) {
  const rows = await database.query<{ starts_at: string }>(sql`
    SELECT day::timestamp AT TIME ZONE ${time_zone}::text AS starts_at
    FROM ${calendar({ from, to })} ORDER BY day`);
  return rows.map(({ starts_at }) => starts_at);
}

async function listPeriods(
  database: Queryable,
  { from, to, time_zone, today, starts_at, ends_at }: DateRange,
  by: Period,
): Promise<{ period: string; has_begun: boolean }[]> {
  return database.query(
    by === 'day'
      ? sql`SELECT day::text AS period, day <= ${today}::date AS has_begun
            FROM ${calendar({ from, to })}
            ORDER BY day`
      : sql`SELECT period, period <= now() AS has_begun
            FROM (SELECT DISTINCT date_trunc('hour', quarter, ${time_zone}) AS period
                  FROM generate_series(${starts_at}::timestamptz,
                                       ${ends_at}::timestamptz - interval '15 minutes',
                                       interval '15 minutes') AS quarter) AS hours
            ORDER BY period`,
  );
}

const matches = ({ event_name, key_id }: EventFilter): Sql => sql`
  (${event_name}::text IS NULL OR event_name = ${event_name})
  AND (${key_id}::uuid IS NULL OR key_id = ${key_id})`;

const byDay = (tenant: Tenant, range: DateRange, filter: EventFilter) => sql`
    SELECT event_name, day::text AS period, sum(event_count) AS event_count
    FROM daily_event_counts
    WHERE ${isOfDays(tenant, range)} AND ${matches(filter)}
    GROUP BY event_name, day`;

const byHour = (
  { game_id, environment }: Tenant,
  { starts_at, ends_at, time_zone }: DateRange,
  filter: EventFilter,
) => sql`
    SELECT event_name, date_trunc('hour', quarter, ${time_zone}) AS period,
           sum(event_count) AS event_count
    FROM event_counts
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND quarter >= ${starts_at}::timestamptz AND quarter < ${ends_at}::timestamptz
      AND ${matches(filter)}
    GROUP BY 1, 2`;

interface CountRow {
  /** Null for the sum of all other names. */
  event_name: string | null;
  period: string;
  event_count: number;
  name_count: number;
}

async function listCounts(database: Queryable, source: Sql, limit: number): Promise<CountRow[]> {
  return database.query<CountRow>(sql`
    WITH counted AS MATERIALIZED (${source}), names AS (
      SELECT event_name, row_number() OVER (ORDER BY sum(event_count) DESC, event_name) AS place
      FROM counted
      GROUP BY event_name
      HAVING sum(event_count) > 0
    ), labelled AS (
      SELECT event_name, CASE WHEN place <= ${limit} THEN event_name END AS label
      FROM names
    )
    SELECT label AS event_name, period, sum(event_count)::bigint AS event_count,
           (SELECT count(*) FROM names) AS name_count
    FROM counted
    JOIN labelled USING (event_name)
    GROUP BY label, period
    ORDER BY label`);
}

export const eventTable = ({ by, periods, counts, events }: EventCounts): CsvTable => ({
  name: `events-by-${by}`,
  columns: [by, 'all events', ...events.map(({ event_name }) => event_name)],
  rows: periods.map((period, place) => [
    period,
    counts[place]!,
    ...events.map((event) => event.counts[place]!),
  ]),
});
