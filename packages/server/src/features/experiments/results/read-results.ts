import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import type { ExperimentResults } from '@overworld/contract/remote-config/experiment-results';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { OwnerPath } from '../../../platform/queue/fair-queue.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { getExperiment } from '../changes.ts';
import { readDefinition } from '../definition.ts';
import type { Definition } from '../definition.ts';
import type { ExperimentKey } from '../store.ts';
import { describeOutcomes } from './results.ts';
import type { Outcomes } from './results.ts';

interface OutcomesInput extends ExperimentKey {
  time_zone: string;
  starts_at: string;
  ends_at: string;
  variant_count: number;
  metrics: readonly ExperimentMetric[];
}

interface Asker {
  owner: OwnerPath;
  signal: AbortSignal;
}

export interface ResultServices {
  database: Database;
  /** Waits until the events that were acknowledged before can be read. */
  waitForInbox(tenant: Tenant): Promise<void>;
  /** Adds up the metrics of an experiment; another feature reads the events. */
  addUp(input: OutcomesInput, asker: Asker): Promise<Outcomes>;
}

/** @throws ApiError 404 when there is no such experiment, 503 when the events take too long. */
export async function readResults(
  { database, waitForInbox, addUp }: ResultServices,
  key: ExperimentKey,
  asker: Asker,
): Promise<ExperimentResults> {
  const { state, definition: text } = await getExperiment(database, key);
  const definition = readDefinition(text);
  const range = await findRange(database, key);
  if (range === null) {
    return { state, as_of: null, ...describeOutcomes(definition, noOutcomes(definition)) };
  }
  await waitForInbox(key);
  const { variants, metrics } = definition;
  const input = { ...key, ...range, variant_count: variants.length, metrics };
  const outcomes = await addUp(input, asker);
  return { state, as_of: range.ends_at, ...describeOutcomes(definition, outcomes) };
}

/** The time in which the experiment ran, up to now; null for a draft. */
const findRange = (database: Database, { game_id, environment, experiment_id }: ExperimentKey) =>
  database.queryOne<{ time_zone: string; starts_at: string; ends_at: string }>(sql`
    SELECT time_zone, started_at AS starts_at, LEAST(now(), stopped_at) AS ends_at
    FROM experiments
    JOIN games ON games.id = game_id
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND experiment_id = ${experiment_id} AND started_at IS NOT NULL`);

const noOutcomes = ({ variants, metrics }: Definition): Outcomes => ({
  exposed: variants.map(() => 0),
  mixed: 0,
  metrics: metrics.map(() => variants.map(() => ({ players: 0, sum: 0, sum_of_squares: 0 }))),
});
