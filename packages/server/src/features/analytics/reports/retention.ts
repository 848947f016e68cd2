import { MAX_RETENTION_DAY } from '@overworld/contract/analytics/players';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';

export type CohortLength = 'day' | 'week';

interface Cohort {
  first_day: string;
  last_day: string;
  player_count: number;
  /** By days since the first; null where that day is not over for all players. */
  active: (number | null)[];
}

export interface Retention {
  from: string;
  to: string;
  time_zone: string;
  cohort: CohortLength;
  cohorts: Cohort[];
  average: (number | null)[];
}

/** Cohorts of players by their first active day, or by its week from Monday on. */
export async function getRetention(
  database: Queryable,
  tenant: Tenant,
  { from, to, time_zone, today }: DateRange,
  cohort: CohortLength,
): Promise<Retention> {
  const rows = await listCohorts(database, tenant, { from, to }, cohort);
  const cohorts = rows.map(({ first_day, last_day, counts }) => ({
    first_day,
    last_day,
    player_count: counts['0'] ?? 0,
    active: dayNumbers.map((number) => {
      const is_over = number === 0 || daysBetween(last_day, today) > number;
      return is_over ? (counts[number] ?? 0) : null;
    }),
  }));
  return { from, to, time_zone, cohort, cohorts, average: averageOf(cohorts) };
}

const dayNumbers = Array.from({ length: MAX_RETENTION_DAY + 1 }, (_, number) => number);

const daysBetween = (first: string, last: string) =>
  (Date.parse(last) - Date.parse(first)) / 86_400_000;

/** Each cohort weighs as much as it has players. */
function averageOf(cohorts: readonly Cohort[]): (number | null)[] {
  return dayNumbers.map((number) => {
    const over = cohorts.filter(({ active }) => active[number] !== null);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const players = sum(over.map(({ player_count }) => player_count));
    return players === 0 ? null : sum(over.map(({ active }) => active[number]!)) / players;
  });
}

interface CohortRow {
  first_day: string;
  last_day: string;
  /** Players by day number. */
  counts: Record<string, number>;
}

async function listCohorts(
  database: Queryable,
  { game_id, environment }: Tenant,
  { from, to }: { from: string; to: string },
  cohort: CohortLength,
): Promise<CohortRow[]> {
  return database.query<CohortRow>(sql`
    WITH calendar AS (
      SELECT ${from}::date + place AS first_day,
             date_trunc(${cohort}, (${from}::date + place)::timestamp) AS cohort
      FROM generate_series(0, ${to}::date - ${from}::date) AS place
    ), counted AS (
      SELECT cohort, day_number, sum(player_count) AS player_count
      FROM retention_counts
      JOIN calendar USING (first_day)
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND first_day BETWEEN ${from}::date AND ${to}::date
      GROUP BY cohort, day_number
    )
    SELECT min(first_day)::text AS first_day, max(first_day)::text AS last_day,
           COALESCE((SELECT json_object_agg(day_number, player_count) FROM counted
                     WHERE counted.cohort = calendar.cohort), '{}') AS counts
    FROM calendar
    GROUP BY calendar.cohort
    ORDER BY calendar.cohort`);
}

export const retentionTable = ({ cohorts }: Retention): CsvTable => ({
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
