import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { Environment } from '@overworld/contract/common';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import { sql } from '../../../../platform/database/sql.ts';
import type { Sql } from '../../../../platform/database/sql.ts';

export interface ExperimentInput {
  game_id: string;
  environment: Environment;
  experiment_id: string;
  time_zone: string;
  /** The moment up to which events count, as the API writes times. */
  ends_at: string;
  /** Days (UTC) of the first exposures that count, both included. */
  from: string;
  to: string;
  /** The last closed day: its results no longer change. */
  closed_to: string;
  /** Number of days after which a day of first exposures is closed. */
  waited_days: number;
  variant_count: number;
  metrics: readonly ExperimentMetric[];
  /** The meaning of the game's purchase event; null without a metric of revenue. */
  revenue: RevenueSettings | null;
}

/** The values of the players of a variant, added up. */
export interface Sums {
  players: number;
  sum: number;
  sum_of_squares: number;
}

/** The players of a day of first exposures. */
export interface DayOutcomes {
  day: string;
  /** Players of each variant. */
  exposed: number[];
  /** Players who were given several variants; no variant counts them. */
  mixed: number;
  /** For each metric, the sums of each variant. */
  metrics: Sums[][];
}

const DAY_MS = 86_400_000;

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

export function makeDays({ from, to, variant_count, metrics }: ExperimentInput): DayOutcomes[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, place) => ({
    day: addDays(from, place),
    exposed: Array.from({ length: variant_count }, () => 0),
    mixed: 0,
    metrics: metrics.map(() =>
      Array.from({ length: variant_count }, () => ({ players: 0, sum: 0, sum_of_squares: 0 })),
    ),
  }));
}

/** SQL, true for the exposures of an experiment on the days. */
export const isExposure = (input: ExperimentInput): Sql =>
  sql`game_id = ${input.game_id}::uuid AND environment = ${input.environment}::environment
    AND experiment_id = ${input.experiment_id}::uuid
    AND exposed_at >= ${input.from}::date::timestamp AT TIME ZONE 'UTC'
    AND exposed_at < (${input.to}::date + 1)::timestamp AT TIME ZONE 'UTC'`;

/** SQL, the place of the day of an exposure among the days. */
export const dayPlace = ({ from }: ExperimentInput): Sql =>
  sql`((exposed_at AT TIME ZONE 'UTC')::date - ${from}::date)`;
