import { COMPARED_DAYS, MAX_RELEASE_DAYS } from '@overworld/contract/analytics/release-limits';
import type {
  ComparedMetric,
  ReleaseComparison,
} from '@overworld/contract/analytics/release-comparison';
import { CONFIDENCE_PERCENT } from '@overworld/contract/remote-config/experiment-limits';
import type { Sample } from '../../platform/reports/experiment-outcomes.ts';
import type { ReleaseInput, ReleaseOutcomes } from '../../platform/reports/release-outcomes.ts';

/** The statistics of experiments. */
export interface Statistics {
  /** @returns null if there are too few players, or if all players of each sample have one value. */
  compare(
    sample: Sample,
    control: Sample,
    alpha: number,
  ):
    | (Pick<ComparedMetric, 'difference'> & {
        interval: { low: number; high: number };
        relative: { low: number; high: number } | null;
      })
    | null;
  /** With fewer players in a sample there is no interval. */
  min_players: number;
}

type Kind = ComparedMetric['kind'];

/**
 * Chooses the days of a comparison: as many of each version as the younger one has, and as many after the first start
 * of a player as leave players whose days are over.
 * @param age The days since the first day of the younger version.
 */
export function chooseDays(age: number): { span: number; days: number } {
  const days = COMPARED_DAYS.findLast((each) => each < age) ?? COMPARED_DAYS[0];
  return { span: Math.min(MAX_RELEASE_DAYS, age + 1), days };
}

/** Describes the difference of each metric, with intervals that hold for all of them together. */
export function compareOutcomes(
  [before, after]: readonly [ReleaseOutcomes, ReleaseOutcomes],
  { event_names, revenue }: Pick<ReleaseInput, 'event_names' | 'revenue'>,
  statistics: Statistics,
): ReleaseComparison['metrics'] {
  const kinds: Exclude<Kind, 'events'>[] = [
    'adoption',
    'retention_day_1',
    'retention_day_7',
    'sessions',
    'session_seconds',
    ...(revenue === null ? [] : (['revenue'] as const)),
  ];
  const metrics = [
    ...kinds.map((kind) => ({ kind, event_name: null, samples: [before[kind], after[kind]] })),
    ...event_names.map((event_name, index) => ({
      kind: 'events' as const,
      event_name,
      samples: [before.events[index]!, after.events[index]!],
    })),
  ];
  // Bonferroni's correction, because readers look for any metric that differs.
  const alpha = (100 - CONFIDENCE_PERCENT) / 100 / metrics.length;
  return metrics.map(({ kind, event_name, samples }) => ({
    kind,
    event_name,
    currency: kind === 'revenue' ? (revenue!.report_currency ?? revenue!.currency) : null,
    releases: samples.map(({ players, sum }) => ({
      players,
      mean: players === 0 ? null : sum / players,
    })),
    ...judge(samples as [Sample, Sample], alpha, statistics),
  }));
}

function judge(
  [control, sample]: readonly [Sample, Sample],
  alpha: number,
  { compare, min_players }: Statistics,
): Pick<ComparedMetric, 'verdict' | 'difference' | 'interval' | 'relative_interval'> {
  if (Math.min(sample.players, control.players) < min_players) {
    const none = { difference: null, interval: null, relative_interval: null };
    return { verdict: 'too_few', ...none };
  }
  const difference = sample.sum / sample.players - control.sum / control.players;
  const compared = compare(sample, control, alpha);
  if (compared === null) {
    return { verdict: 'no_variance', difference, interval: null, relative_interval: null };
  }
  const { interval, relative } = compared;
  const verdict = interval.low > 0 ? 'higher' : interval.high < 0 ? 'lower' : 'undecided';
  return { verdict, difference, interval, relative_interval: relative };
}
