import type { Environment } from '@overworld/contract/common';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import { sql } from '../../../../platform/database/sql.ts';
import type { Sql } from '../../../../platform/database/sql.ts';

export interface ExperimentInput {
  game_id: string;
  environment: Environment;
  experiment_id: string;
  time_zone: string;
  /** The experiment ran between these times, as the API writes times. */
  starts_at: string;
  ends_at: string;
  variant_count: number;
  metrics: readonly ExperimentMetric[];
}

/** The values of the players of a variant, added up. */
export interface Sums {
  players: number;
  sum: number;
  sum_of_squares: number;
}

export interface ExperimentOutcomes {
  /** Players of each variant. */
  exposed: number[];
  /** Players of several variants, who count for none. */
  mixed: number;
  /** For each metric, the sums of each variant. */
  metrics: Sums[][];
}

export const makeSums = (variant_count: number): Sums[] =>
  Array.from({ length: variant_count }, () => ({ players: 0, sum: 0, sum_of_squares: 0 }));

/** SQL, true for the exposures of an experiment. */
export const ofExperiment = ({ game_id, environment, experiment_id }: ExperimentInput): Sql =>
  sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment
    AND experiment_id = ${experiment_id}::uuid`;
