import { MAX_RETENTION_DAY } from '@overworld/contract/analytics/players';
import type { getRetention as operation } from '@overworld/contract/analytics/players';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { Slice, SliceRows } from '../../../platform/reports/player-slices.ts';
import { calendar, divide, sum } from '../days.ts';
import type { Days } from '../days.ts';

type Retention = SuccessOf<typeof operation>;

/** Groups players into cohorts by the day or the week of their first activity. A week begins on Monday. */
export async function getRetention(
  database: Queryable,
  tenant: Tenant,
  { from, to, time_zone, today }: DateRange,
  cohort: Retention['cohort'],
  slice: Slice<'retention'> | null,
): Promise<Retention> {
  const read = async (counts: Sql) => {
    const rows = await listCohorts(database, counts, { from, to }, cohort);
    return toCohorts(rows, today);
  };
  const total = slice?.total ?? null;
  const all = await read(total === null ? storedCounts(tenant) : givenCounts(total));
  const groups: Retention['groups'] = [];
  for (const { rows, ...label } of slice?.groups ?? []) {
    groups.push({ ...label, ...(await read(givenCounts(rows))) });
  }
  return { from, to, time_zone, cohort, ...all, groups };
}

function toCohorts(rows: readonly CohortRow[], today: string) {
  const cohorts = rows.map(({ first_day, last_day, counts }) => ({
    first_day,
    last_day,
    player_count: counts['0'] ?? 0,
    active: dayNumbers.map((number) => {
      const is_over = number === 0 || daysBetween(last_day, today) > number;
      return is_over ? (counts[number] ?? 0) : null;
    }),
  }));
  return { cohorts, average: averageOf(cohorts) };
}

const dayNumbers = Array.from({ length: MAX_RETENTION_DAY + 1 }, (_, number) => number);

const daysBetween = (first: string, last: string) =>
  (Date.parse(last) - Date.parse(first)) / 86_400_000;

/** Computes the average of the cohorts, each weighted by its number of players. */
function averageOf(cohorts: Retention['cohorts']): Retention['average'] {
  return dayNumbers.map((number) => {
    const over = cohorts.filter(({ active }) => active[number] !== null);
    const players = sum(over.map(({ player_count }) => player_count));
    return divide(sum(over.map(({ active }) => active[number]!)), players);
  });
}

interface CohortRow {
  first_day: string;
  last_day: string;
  /** For each number of days since the first day, the number of players who were active on that day. */
  counts: Record<string, number>;
}

const storedCounts = ({ game_id, environment }: Tenant): Sql => sql`(
  SELECT first_day, day_number, player_count FROM retention_counts
  WHERE game_id = ${game_id} AND environment = ${environment}) AS counts`;

const givenCounts = (rows: SliceRows['retention']): Sql => sql`
  unnest(${rows.map(({ first_day }) => first_day)}::date[],
         ${rows.map(({ day_number }) => day_number)}::integer[],
         ${rows.map(({ player_count }) => player_count)}::bigint[])
    AS counts (first_day, day_number, player_count)`;

async function listCohorts(
  database: Queryable,
  counts: Sql,
  { from, to }: Days,
  cohort: Retention['cohort'],
): Promise<CohortRow[]> {
  return database.query<CohortRow>(sql`
    WITH days AS (
      SELECT day AS first_day, date_trunc(${cohort}, day::timestamp) AS cohort
      FROM ${calendar({ from, to })}
    ), counted AS (
      SELECT cohort, day_number, sum(player_count) AS player_count
      FROM ${counts}
      JOIN days USING (first_day)
      WHERE first_day BETWEEN ${from}::date AND ${to}::date
      GROUP BY cohort, day_number
    )
    SELECT min(first_day)::text AS first_day, max(first_day)::text AS last_day,
           COALESCE((SELECT json_object_agg(day_number, player_count) FROM counted
                     WHERE counted.cohort = days.cohort), '{}') AS counts
    FROM days
    GROUP BY days.cohort
    ORDER BY days.cohort`);
}

export const retentionTable = ({ cohorts }: Pick<Retention, 'cohorts'>): CsvTable => ({
  name: 'retention',
  columns: [
    'first_day',
    'last_day',
    'player_count',
    ...dayNumbers.map((number) => `day_${number}`),
  ],
  rows: cohorts.map(({ first_day, last_day, player_count, active }) => [
    first_day,
    last_day,
    player_count,
    ...active,
  ]),
});
