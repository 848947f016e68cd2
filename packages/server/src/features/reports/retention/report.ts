import { getRetention, MAX_RETENTION_DAY } from '@overworld/contract/analytics/players';
import type { SuccessOf } from '@overworld/contract/operation';
import { sql } from '../../../platform/database/sql.ts';
import { withGroups } from '../../../platform/reports/csv-report.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import { countDays, dayNumber, dayText, divide, sum } from '../days.ts';
import type { Days } from '../days.ts';
import type { RollupReport } from '../report-description.ts';

export type Retention = SuccessOf<typeof getRetention>;
type Cohort = Retention['cohort'];

/** Groups players into cohorts by the day or the week of their first activity. A week begins on Monday. */
export const retention: RollupReport<typeof getRetention, { cohort: Cohort }> = {
  operation: getRetention,
  readQuestion: ({ cohort }) => ({ cohort }),

  async readAll(database, { game_id, environment }, range, { cohort }) {
    const rows = await database.query<{ place: number; counts: Record<string, number> }>(sql`
      SELECT first_day - ${range.from}::date AS place,
             json_object_agg(day_number, player_count) AS counts
      FROM retention_counts
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND first_day BETWEEN ${range.from}::date AND ${range.to}::date
        AND day_number <= ${MAX_RETENTION_DAY}
      GROUP BY first_day`);
    const all = makeRetentionCounts(range);
    for (const { place, counts } of rows) {
      for (const number in counts) all[place * RETENTION_DAYS + Number(number)] = counts[number]!;
    }
    return { cohort, ...toCohorts(all, range, cohort) };
  },

  toTable: (report) => withGroups(report, retentionTable),
};

/** The number of days of a cohort that are counted; the first is day 0. */
export const RETENTION_DAYS = MAX_RETENTION_DAY + 1;

/**
 * Makes room for the counts of a range: for each first day, the numbers of players who were active on day 0,
 * day 1, and so on.
 */
export const makeRetentionCounts = (range: Days): Float64Array =>
  new Float64Array(countDays(range) * RETENTION_DAYS);

const dayNumbers = Array.from({ length: RETENTION_DAYS }, (_, number) => number);

export function toCohorts(
  counts: Float64Array,
  { from, to, today }: Days & { today: string },
  cohort: Cohort,
): Pick<Retention, 'cohorts' | 'average'> {
  const [first, last, now] = [dayNumber(from), dayNumber(to), dayNumber(today)];
  const cohorts: Retention['cohorts'] = [];
  for (let start = first, end: number; start <= last; start = end + 1) {
    end = cohort === 'day' ? start : Math.min(last, lastOfWeek(start));
    const active = dayNumbers.map((number) => {
      let players = 0;
      for (let day = start; day <= end; day++) {
        players += counts[(day - first) * RETENTION_DAYS + number]!;
      }
      return players;
    });
    cohorts.push({
      first_day: dayText(start),
      last_day: dayText(end),
      player_count: active[0]!,
      active: active.map((players, number) =>
        number === 0 || now - end > number ? players : null,
      ),
    });
  }
  return { cohorts, average: averageOf(cohorts) };
}

/** Returns the Sunday at the end of the week of a day. 1970-01-01, with the number 0, was a Thursday. */
export const lastOfWeek = (day: number) => day + 6 - ((((day + 3) % 7) + 7) % 7);

/** Computes the average of the cohorts, each weighted by its number of players. */
function averageOf(cohorts: Retention['cohorts']): Retention['average'] {
  return dayNumbers.map((number) => {
    const over = cohorts.filter(({ active }) => active[number] !== null);
    const players = sum(over.map(({ player_count }) => player_count));
    return divide(sum(over.map(({ active }) => active[number]!)), players);
  });
}

const retentionTable = ({ cohorts }: Pick<Retention, 'cohorts'>): CsvTable => ({
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
