import { hash } from 'node:crypto';
import { EXPLORE_TIMEOUT_S } from '@overworld/contract/analytics/event-conditions';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import { EXPERIMENT_LATE_DAYS } from '@overworld/contract/remote-config/experiment-limits';
import type { ExperimentResults } from '@overworld/contract/remote-config/experiment-results';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { ApiError, notFound, TookTooLong, unavailable } from '../../../platform/errors.ts';
import type { OwnerPath } from '../../../platform/queue/fair-queue.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { makeOutcomes } from '../../../platform/reports/experiment-outcomes.ts';
import type {
  DayOutcomes,
  ExperimentInput,
  ExperimentRange,
  Outcomes,
} from '../../../platform/reports/experiment-outcomes.ts';
import { readDefinition } from '../definition.ts';
import { findExperiment } from '../store.ts';
import type { ExperimentKey } from '../store.ts';
import { requireRevenue } from '../revenue.ts';
import type { FindRevenueSettings } from '../revenue.ts';
import { keepDays, listDays } from './day-store.ts';
import { describeOutcomes } from './results.ts';

interface Asker {
  owner: OwnerPath;
  signal: AbortSignal;
}

export interface ResultServices {
  database: Database;
  /** Waits until all events that have been acknowledged so far can be read. */
  waitForInbox(tenant: Tenant): Promise<void>;
  /**
   * Adds up the metrics of an experiment for the days at the beginning of a range. One call covers as many
   * days as one report may count. Another feature provides this function, because it reads events.
   */
  addUp(input: ExperimentInput, asker: Asker, timeout_s: number): Promise<DayOutcomes[]>;
  findRevenueSettings: FindRevenueSettings;
}

/**
 * Reads the results of an experiment.
 * @throws ApiError 404 if there is no such experiment; 409 if a metric of revenue needs one currency
 * and the settings of the game no longer choose one; 503 if reading the events takes too long.
 */
export async function readResults(
  services: ResultServices,
  key: ExperimentKey,
  asker: Asker,
): Promise<ExperimentResults> {
  const { database, waitForInbox } = services;
  const experiment = await findExperiment(database, key);
  // A link to a dashboard shows one environment to strangers, so this error does not name another.
  if (experiment === null) throw notFound('Experiment not found');
  const { state, definition: text } = experiment;
  const definition = readDefinition(text);
  const { variants, metrics } = definition;
  const range = await findRange(database, key, metrics);
  if (range === null) {
    const none = makeOutcomes(variants.length, metrics.length);
    return { state, as_of: null, ...describeOutcomes(definition, none, null) };
  }
  const settings = await services.findRevenueSettings(database, key.game_id);
  const revenue = requireRevenue(metrics, settings);
  await waitForInbox(key);
  const input = { ...key, ...range, variant_count: variants.length, metrics, revenue };
  const outcomes = await countDays(services, input, asker);
  return { state, as_of: range.ends_at, ...describeOutcomes(definition, outcomes, revenue) };
}

/** Reads the days of an experiment, up to now or up to its end; null for a draft. */
const findRange = (
  database: Database,
  { game_id, environment, experiment_id }: ExperimentKey,
  metrics: readonly ExperimentMetric[],
): Promise<ExperimentRange | null> => {
  const longest = Math.max(...metrics.map(({ days }) => days));
  const waited_days = 1 + longest + EXPERIMENT_LATE_DAYS;
  return database.queryOne<ExperimentRange>(sql`
    SELECT time_zone, ends_at, ${waited_days}::integer AS waited_days,
           (started_at AT TIME ZONE 'UTC')::date::text AS "from",
           (ends_at AT TIME ZONE 'UTC')::date::text AS "to",
           ((now() AT TIME ZONE 'UTC')::date - ${waited_days}::integer)::text AS closed_to
    FROM experiments
    JOIN games ON games.id = game_id
    CROSS JOIN LATERAL (SELECT LEAST(now(), stopped_at) AS ends_at) AS ended
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND experiment_id = ${experiment_id} AND started_at IS NOT NULL`);
};

/**
 * Adds up the outcomes of all days of an experiment. The outcomes of a day that can no longer
 * change are counted once and stored. Later requests then read only the events of the last
 * days. If reading takes too long, the next request continues after the days that are already
 * stored. A day is left out if its events were deleted before its outcomes were stored.
 */
async function countDays(
  { database, addUp }: ResultServices,
  input: ExperimentInput,
  asker: Asker,
): Promise<Outcomes> {
  const started_ms = performance.now();
  const { from, to, closed_to, time_zone, variant_count, metrics, revenue } = input;
  const basis = hash('sha256', JSON.stringify([time_zone, revenue]));
  const days = await listDays(database, input, { from, to, basis });
  const total = makeOutcomes(variant_count, metrics.length);
  const reads_events = metrics.some(({ kind }) => kind !== 'retention');
  let kept_days = 0;
  for (let place = 0; place < days.length;) {
    const { day, outcomes, has_all_events } = days[place]!;
    if (outcomes !== null || (reads_events && !has_all_events)) {
      if (outcomes !== null) addOutcomes(total, outcomes);
      place++;
      continue;
    }
    const next_kept = days.findIndex((each, at) => at > place && each.outcomes !== null);
    const last = days.at(next_kept === -1 ? -1 : next_kept - 1)!;
    const passed_s = Math.floor((performance.now() - started_ms) / 1_000);
    const left_s = Math.max(1, EXPLORE_TIMEOUT_S - passed_s);
    const range = { ...input, from: day, to: last.day };
    const counted = await addUp(range, asker, left_s).catch((error: unknown) => {
      throw kept_days === 0 ? asTooMany(error, day) : asContinued(error, kept_days);
    });
    for (const each of counted) addOutcomes(total, each);
    const kept = counted.flatMap((each, index) => {
      const { changes, has_moving_events } = days[place + index]!;
      return each.day <= closed_to && !has_moving_events ? [{ ...each, changes }] : [];
    });
    await keepDays(database, input, basis, kept);
    place += counted.length;
    kept_days += kept.length;
  }
  return total;
}

function addOutcomes(total: Outcomes, { exposed, mixed, metrics }: Outcomes): void {
  total.mixed += mixed;
  for (const [variant, players] of exposed.entries()) total.exposed[variant]! += players;
  for (const [index, samples] of metrics.entries()) {
    for (const [variant, { players, sum, sum_of_squares }] of samples.entries()) {
      const of_variant = total.metrics[index]![variant]!;
      of_variant.players += players;
      of_variant.sum += sum;
      of_variant.sum_of_squares += sum_of_squares;
    }
  }
}

const asContinued = (error: unknown, kept_days: number) =>
  error instanceof ApiError && error.status === 503
    ? unavailable(
        `The results take longer: ${kept_days} days of the experiment were counted now and are kept. Ask again to count the others`,
        error,
      )
    : error;

/**
 * Replaces the error of a report that took too long: the usual message
 * advises a narrower report, but an experiment cannot be narrowed.
 */
const asTooMany = (error: unknown, day: string) =>
  error instanceof ApiError && error.cause instanceof TookTooLong
    ? unavailable(
        `The results were not ready after ${EXPLORE_TIMEOUT_S} seconds: the players from ${day} on have more events than can be read in that time. Those that were read stay in memory for some minutes, so ask again soon. If it never ends, count rarer events or fewer days in another experiment`,
        error,
      )
    : error;
