import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import type { ExperimentResults } from '@overworld/contract/remote-config/experiment-results';
import type { Definition } from '../definition.ts';
import { ALPHA, compare, meanOf } from '../statistics/comparison.ts';
import type { Comparison, Sample } from '../statistics/comparison.ts';
import { MISMATCH_ALPHA, sampleRatioChance } from '../statistics/sample-ratio.ts';

/** The players of an experiment and their values, added up. */
export interface Outcomes {
  /** Players of each variant. */
  exposed: number[];
  /** Players of several variants, who count for none. */
  mixed: number;
  /** For each metric, the sums of each variant. */
  metrics: Sample[][];
}

type MetricResult = ExperimentResults['metrics'][number];

/** The outcomes of an experiment, with their intervals. */
export function describeOutcomes(
  { variants, metrics }: Definition,
  outcomes: Outcomes,
): Omit<ExperimentResults, 'state' | 'as_of'> {
  const { exposed, mixed } = outcomes;
  const chance = sampleRatioChance(
    exposed,
    variants.map(({ weight }) => weight),
  );
  const names = variants.map(({ name }) => name);
  return {
    variants: variants.map(({ name, weight }, index) => ({
      name,
      weight,
      exposed_players: exposed[index]!,
    })),
    mixed_players: mixed,
    split_chance: chance,
    is_split_suspicious: chance !== null && chance < MISMATCH_ALPHA,
    metrics: metrics.map((metric, index) =>
      describeMetric(metric, names, outcomes.metrics[index]!),
    ),
  };
}

function describeMetric(
  metric: ExperimentMetric,
  names: readonly string[],
  samples: readonly Sample[],
): MetricResult {
  // Bonferroni's correction: each variant is compared with the control.
  const alpha = ALPHA / (samples.length - 1);
  const variants = samples.map((sample, index): MetricResult['variants'][number] => {
    const comparison = index === 0 ? null : compare(sample, samples[0]!, alpha);
    return {
      name: names[index]!,
      players: sample.players,
      mean: sample.players === 0 ? null : meanOf(sample),
      verdict: index === 0 ? null : judge(metric, comparison),
      difference: comparison && comparison.difference,
      interval: comparison && comparison.interval,
      relative_interval: comparison && comparison.relative,
    };
  });
  const warns = metric.guardrail === true && variants.some(({ verdict }) => verdict === 'worse');
  return { metric, variants, warns };
}

function judge({ good = 'higher' }: ExperimentMetric, comparison: Comparison | null) {
  if (comparison === null) return 'too_early';
  const { low, high } = comparison.interval;
  if (low > 0) return good === 'higher' ? 'better' : 'worse';
  if (high < 0) return good === 'higher' ? 'worse' : 'better';
  return 'undecided';
}
