import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import { SUSPICIOUS_SAMPLE_RATIO_CHANCE } from '@overworld/contract/remote-config/experiment-limits';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import type { ExperimentResults } from '@overworld/contract/remote-config/experiment-results';
import type { Definition } from '../definition.ts';
import { ALPHA, compare, meanOf, MIN_PLAYERS } from '../statistics/comparison.ts';
import type { Comparison } from '../statistics/comparison.ts';
import { sampleRatioChance } from '../statistics/sample-ratio.ts';
import type { Outcomes, Sample } from '../../../platform/reports/experiment-outcomes.ts';

type MetricResult = ExperimentResults['metrics'][number];

/**
 * Describes the outcomes of an experiment, with their confidence intervals.
 * @param revenue The revenue settings with which the metrics about revenue were counted.
 */
export function describeOutcomes(
  { variants, metrics }: Definition,
  outcomes: Outcomes,
  revenue: RevenueSettings | null,
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
    is_split_suspicious: chance !== null && chance < SUSPICIOUS_SAMPLE_RATIO_CHANCE,
    metrics: metrics.map((metric, index) => {
      const is_money = metric.kind === 'revenue' && revenue !== null;
      return {
        ...describeMetric(metric, names, outcomes.metrics[index]!),
        currency: is_money ? (revenue.report_currency ?? revenue.currency) : null,
      };
    }),
  };
}

function describeMetric(
  metric: ExperimentMetric,
  names: readonly string[],
  samples: readonly Sample[],
): Omit<MetricResult, 'currency'> {
  // Bonferroni's correction: each variant is compared with the control, so there are this many comparisons.
  const alpha = ALPHA / (samples.length - 1);
  const variants = samples.map((sample, index): MetricResult['variants'][number] => {
    const of_variant = {
      name: names[index]!,
      players: sample.players,
      mean: sample.players === 0 ? null : meanOf(sample),
    };
    const control = samples[0]!;
    if (index === 0) return { ...of_variant, ...NO_INTERVAL, verdict: null };
    const comparison = compare(sample, control, alpha);
    if (comparison !== null) {
      const { difference, interval, relative: relative_interval } = comparison;
      const verdict = judge(metric, comparison);
      return { ...of_variant, verdict, difference, interval, relative_interval };
    }
    if (Math.min(sample.players, control.players) < MIN_PLAYERS) {
      return { ...of_variant, ...NO_INTERVAL, verdict: 'too_early' };
    }
    const difference = meanOf(sample) - meanOf(control);
    return { ...of_variant, ...NO_INTERVAL, verdict: 'no_variance', difference };
  });
  const warns = metric.guardrail === true && variants.some(({ verdict }) => verdict === 'worse');
  return { metric, variants, warns };
}

const NO_INTERVAL = { difference: null, interval: null, relative_interval: null };

function judge({ good = 'higher' }: ExperimentMetric, comparison: Comparison) {
  const { low, high } = comparison.interval;
  if (low > 0) return good === 'higher' ? 'better' : 'worse';
  if (high < 0) return good === 'higher' ? 'worse' : 'better';
  return 'undecided';
}
