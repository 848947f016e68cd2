import type { MetricKind } from '@overworld/contract/metrics/metric-limits';
import type { FoldedMetric } from '../../reports/players/split-lines.ts';

/** The kinds whose numbers of groups add up, unless they are divided by players. */
const ADDED_KINDS: readonly MetricKind[] = ['count', 'players', 'sum'];

interface Numbers {
  number: number | null;
  base: number;
}

/** Says how the numbers of several groups of players make their number together. */
export function foldingOf(metric: { kind: MetricKind; per: string | null }): FoldedMetric<Numbers> {
  const { kind, per } = metric;
  const of = ({ number }: Numbers) => number;
  // Percentiles of groups do not make the percentile of their players together.
  if (kind === 'percentile') return { of, isApart: true };
  if (ADDED_KINDS.includes(kind) && per !== 'player') return { of, isSum: true };
  return { of, whole: ({ base }) => base };
}
