import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import type { Tenant } from '../players/player-key.ts';

/** The time range of an experiment. A player counts if their first exposure was on one of its days (UTC). */
export interface ExperimentRange {
  time_zone: string;
  /** The moment up to which events count, in the format of the API. */
  ends_at: string;
  /** The first and the last day. */
  from: string;
  to: string;
  /**
   * The last closed day. All events that count for a closed day have come, so its results no longer change.
   */
  closed_to: string;
  /** The number of days after which a day is closed. */
  waited_days: number;
}

/** A question about the players of an experiment. */
export interface ExperimentInput extends Tenant, ExperimentRange {
  experiment_id: string;
  variant_count: number;
  metrics: readonly ExperimentMetric[];
  /** The settings for reading the game's purchase event; null if no metric is about revenue. */
  revenue: RevenueSettings | null;
}

/** The sums of one metric's values over the players of one variant. */
export interface Sample {
  players: number;
  sum: number;
  sum_of_squares: number;
}

/** The numbers of players in an experiment, and the sums of these players' metric values. */
export interface Outcomes {
  /** The number of players in each variant. */
  exposed: number[];
  /** The number of players who were given several variants. They count for no variant. */
  mixed: number;
  /** For each metric, the sample of each variant. */
  metrics: Sample[][];
}

/** The outcomes of the players whose first exposure was on one day (UTC). */
export interface DayOutcomes extends Outcomes {
  day: string;
}

/** Makes outcomes that count no player yet. */
export const makeOutcomes = (variant_count: number, metric_count: number): Outcomes => ({
  exposed: Array.from({ length: variant_count }, () => 0),
  mixed: 0,
  metrics: Array.from({ length: metric_count }, () =>
    Array.from({ length: variant_count }, () => ({ players: 0, sum: 0, sum_of_squares: 0 })),
  ),
});
