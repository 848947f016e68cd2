import type { Sample } from '../statistics/comparison.ts';

/** The players of an experiment and their values, added up. */
export interface Outcomes {
  /** Players of each variant. */
  exposed: number[];
  /** Players who were given several variants; no variant counts them. */
  mixed: number;
  /** For each metric, the sums of each variant. */
  metrics: Sample[][];
}

/** The outcomes of the players with a first exposure on a day (UTC). */
export interface DayOutcomes extends Outcomes {
  day: string;
}

export const makeOutcomes = (variant_count: number, metric_count: number): Outcomes => ({
  exposed: Array.from({ length: variant_count }, () => 0),
  mixed: 0,
  metrics: Array.from({ length: metric_count }, () =>
    Array.from({ length: variant_count }, () => ({ players: 0, sum: 0, sum_of_squares: 0 })),
  ),
});

export function addOutcomes(total: Outcomes, { exposed, mixed, metrics }: Outcomes): void {
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
