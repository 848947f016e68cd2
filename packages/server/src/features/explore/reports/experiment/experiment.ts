import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import { sql } from '../../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../../thread/explore-database.ts';
import { addUpEvents } from './events.ts';
import { makeSums, ofExperiment } from './outcomes.ts';
import type { ExperimentInput, ExperimentOutcomes, Sums } from './outcomes.ts';
import { readExposures } from './players.ts';

/**
 * Adds up the metrics of an experiment over its players. A player counts for a metric when its time is
 * over, so that each player gives one value that stays.
 */
export async function makeExperiment(
  database: ExploreDatabase,
  input: ExperimentInput,
  signal: AbortSignal,
): Promise<ExperimentOutcomes> {
  const exposures = await readExposures(database, input, signal);
  const of_events = input.metrics.filter(({ kind }) => kind !== 'retention');
  const sums = new Map(await addUpEvents(database, input, exposures, of_events, signal));
  for (const metric of input.metrics) {
    if (metric.kind !== 'retention') continue;
    sums.set(metric, await addUpReturns(database, input, metric, signal));
  }
  const metrics = input.metrics.map((metric) => sums.get(metric)!);
  return { exposed: exposures.counts, mixed: exposures.mixed, metrics };
}

/** Adds up 1 for each player who was active on the day, and 0 for each other. */
async function addUpReturns(
  database: ExploreDatabase,
  input: ExperimentInput,
  { days }: ExperimentMetric,
  signal: AbortSignal,
): Promise<Sums[]> {
  const { variant_count, time_zone, ends_at } = input;
  const rows = await database.query<{ variant: number; players: number; active: number }>(
    sql`
      SELECT variant, count(*) AS players,
             count(*) FILTER (
               WHERE place >= 0 AND place < bit_length(active_days)
                 AND get_bit(active_days, place) = 1) AS active
      FROM experiment_exposures
      LEFT JOIN player_activity USING (game_id, environment, player_id)
      CROSS JOIN LATERAL (
        SELECT (exposed_at AT TIME ZONE ${time_zone}::text)::date + ${days}::integer AS day
      ) AS later
      CROSS JOIN LATERAL (SELECT day - first_day AS place) AS placed
      WHERE ${ofExperiment(input)} AND NOT is_mixed
        AND day < (${ends_at}::timestamptz AT TIME ZONE ${time_zone}::text)::date
      GROUP BY variant`,
    signal,
  );
  const sums = makeSums(variant_count);
  for (const { variant, players, active } of rows) {
    sums[variant] = { players, sum: active, sum_of_squares: active };
  }
  return sums;
}
