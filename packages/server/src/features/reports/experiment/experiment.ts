import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { addUpEvents } from './events.ts';
import { chooseLastDay } from './last-day.ts';
import { dayPlace, isExposure, makeDays } from './outcomes.ts';
import type {
  DayOutcomes,
  ExperimentInput,
} from '../../../platform/reports/experiment-outcomes.ts';
import { countExposures, readExposures } from './players.ts';

/**
 * The maximum number of players whose values are in memory at the same time. A player takes up to 100 bytes.
 */
const PLAYERS_AT_ONCE = 1_000_000;

/**
 * Adds up the metrics of an experiment over its players, by the day of their first exposure. Each metric
 * measures a number of days after a player's first exposure. A player counts for the metric only when these
 * days are over, so the value of a player never changes. If there are many events, only the first days of the
 * range are counted.
 * @returns the days from the first one on, also those without players.
 */
export async function makeExperiment(
  database: ExploreDatabase,
  asked: ExperimentInput,
  signal: AbortSignal,
): Promise<DayOutcomes[]> {
  const input = { ...asked, to: await chooseLastDay(database, asked, signal) };
  const days = makeDays(input);
  const players = await countExposures(database, input, days, signal);
  const has_events = input.metrics.some(({ kind }) => kind !== 'retention');
  const count = has_events ? Math.ceil(players / PLAYERS_AT_ONCE) : 0;
  for (let index = 0; index < count; index++) {
    const exposures = await readExposures(database, input, { index, count }, signal);
    await addUpEvents(database, input, exposures, days, signal);
  }
  await addUpReturns(database, input, days, signal);
  return days;
}

/**
 * Adds up retention metrics: 1 for each player who was active on the metric's day, and 0 for each other
 * player.
 */
async function addUpReturns(
  database: ExploreDatabase,
  input: ExperimentInput,
  days: readonly DayOutcomes[],
  signal: AbortSignal,
): Promise<void> {
  const { time_zone, ends_at } = input;
  for (const [index, metric] of input.metrics.entries()) {
    if (metric.kind !== 'retention') continue;
    const rows = await database.query<ReturnsRow>(
      sql`
        SELECT ${dayPlace(input)} AS place, variant, count(*) AS players,
               count(*) FILTER (
                 WHERE bit >= 0 AND bit < bit_length(active_days)
                   AND get_bit(active_days, bit) = 1) AS active
        FROM experiment_exposures
        LEFT JOIN player_activity USING (game_id, environment, player_id)
        CROSS JOIN LATERAL (
          SELECT (exposed_at AT TIME ZONE ${time_zone}::text)::date + ${metric.days}::integer AS day
        ) AS later
        CROSS JOIN LATERAL (SELECT day - first_day AS bit) AS placed
        WHERE ${isExposure(input)} AND NOT is_mixed
          AND day < (${ends_at}::timestamptz AT TIME ZONE ${time_zone}::text)::date
        GROUP BY 1, 2`,
      signal,
    );
    for (const { place, variant, players, active } of rows) {
      days[place]!.metrics[index]![variant] = { players, sum: active, sum_of_squares: active };
    }
  }
}

interface ReturnsRow {
  place: number;
  variant: number;
  players: number;
  active: number;
}
