import { getEventCounts } from '@overworld/contract/analytics/events';
import { MAX_HOURLY_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { badRequest } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { withGroups } from '../../../platform/reports/csv-report.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import { calendar, countDays, isOfDays, sum } from '../days.ts';
import type { RollupReport } from '../report-description.ts';

export type EventCounts = SuccessOf<typeof getEventCounts>;
type By = EventCounts['by'];

interface EventFilter {
  event_name: string | null;
  key_id: string | null;
}

interface Period {
  /** The day, or the moment at which the hour begins. */
  period: string;
  starts_at: string;
  has_begun: boolean;
}

interface EventQuestion extends EventFilter {
  by: By;
  /** The maximum number of event names that have counts of their own. */
  limit: number;
}

export interface PeriodQuestion extends EventQuestion {
  periods: readonly Period[];
}

/** Counts events by name and period. Only the most frequent names have counts of their own. */
export const eventCounts: RollupReport<typeof getEventCounts, EventQuestion, PeriodQuestion> = {
  operation: getEventCounts,
  readQuestion: ({ by, limit, event_name = null, key_id = null }) => ({
    by,
    limit,
    event_name,
    key_id,
  }),

  async complete(question, { database, range }) {
    checkPeriods(range, question.by);
    return { ...question, periods: await listPeriods(database, range, question.by) };
  },

  async readAll(database, tenant, range, question) {
    const { by, limit } = question;
    const periods = namesOf(question);
    const places = new Map(periods.map((period, place) => [period, place]));
    const source = by === 'day' ? byDay(tenant, range, question) : byHour(tenant, range, question);
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
    return { by, periods, event_count: sum(counts), counts, events, other_name_count };
  },

  finish: (report, { periods }) => cutToBegun(periods, report),
  toTable: (report) => withGroups(report, eventTable),
};

export const namesOf = ({ periods }: PeriodQuestion) => periods.map(({ period }) => period);

/**
 * Leaves out periods that have not begun, unless they have events. A client whose clock is up to an hour
 * fast sends such events.
 */
function cutToBegun(all: readonly Period[], report: EventCounts): EventCounts {
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
function checkPeriods(range: DateRange, by: By): void {
  if (by === 'hour' && countDays(range) > MAX_HOURLY_REPORT_DAYS) {
    throw badRequest(
      `from must be at most ${MAX_HOURLY_REPORT_DAYS - 1} days before to, by the hour`,
    );
  }
}

const listPeriods = (
  database: Queryable,
  { from, to, time_zone, today, starts_at, ends_at }: DateRange,
  by: By,
): Promise<Period[]> =>
  database.query(
    by === 'day'
      ? sql`SELECT day::text AS period, day::timestamp AT TIME ZONE ${time_zone}::text AS starts_at,
                   day <= ${today}::date AS has_begun
            FROM ${calendar({ from, to })}
            ORDER BY day`
      : sql`SELECT period, period AS starts_at, period <= now() AS has_begun
            FROM (SELECT DISTINCT date_trunc('hour', quarter, ${time_zone}) AS period
                  FROM generate_series(${starts_at}::timestamptz,
                                       ${ends_at}::timestamptz - interval '15 minutes',
                                       interval '15 minutes') AS quarter) AS hours
            ORDER BY period`,
  );

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

const eventTable = ({ by, periods, counts, events }: EventCounts): CsvTable => ({
  name: `events-by-${by}`,
  columns: [by, 'all events', ...events.map(({ event_name }) => event_name)],
  rows: periods.map((period, place) => [
    period,
    counts[place]!,
    ...events.map((event) => event.counts[place]!),
  ]),
});
