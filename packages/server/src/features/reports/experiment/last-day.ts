import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { addDays } from '../days.ts';
import type { ExperimentInput } from '../../../platform/reports/experiment-outcomes.ts';

/**
 * The maximum number of events that a report reads, which takes some 20 s. A single day with more events is
 * read as a whole.
 */
const EVENTS_AT_ONCE = 20_000_000;

/**
 * Chooses the last day that one report counts. Days whose outcomes are final (closed days) may be left to
 * later reports, because the outcomes of closed days are stored. All other days (open days) are counted again
 * by each report. So it is cheapest if one report counts all open days.
 */
export async function chooseLastDay(
  database: ExploreDatabase,
  input: ExperimentInput,
  signal: AbortSignal,
): Promise<string> {
  const { game_id, environment, from, to, closed_to, metrics, revenue } = input;
  if (from >= closed_to) return to;
  const names = metrics.flatMap(({ event_name }) => event_name ?? []);
  if (revenue !== null) names.push(revenue.event_name);
  const rows = await database.query<{ day: string; count: number }>(
    sql`
      SELECT day::text AS day, sum(event_count)::bigint AS count
      FROM daily_event_counts
      WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
        AND event_name = ANY(${names}::text[]) AND day >= ${from}::date
      GROUP BY day`,
    signal,
  );
  const counts = new Map(rows.map(({ day, count }) => [day, count]));
  return findLastDay(input, (day) => counts.get(day) ?? 0);
}

export function findLastDay(
  input: Pick<ExperimentInput, 'from' | 'to' | 'closed_to' | 'waited_days'>,
  countOf: (day: string) => number,
  events_at_once = EVENTS_AT_ONCE,
): string {
  const { from, to, closed_to, waited_days } = input;
  const last_closed = to < closed_to ? to : closed_to;
  let events = 0;
  for (let after = 0; after < waited_days; after++) events += countOf(addDays(from, after));
  for (let day = from; day < last_closed; day = addDays(day, 1)) {
    events += countOf(addDays(day, waited_days));
    if (events > events_at_once) return day;
  }
  return to;
}
