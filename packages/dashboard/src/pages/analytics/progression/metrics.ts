import type { ReportData } from '../../../reports/report-data.ts';
import { linesOf } from '../../../reports/players/split-lines.ts';
import { sum } from '../../../reports/summary.ts';
import type { GroupLine } from '../../../ui/charts/group-lines.ts';
import { COUNTS, RATIOS, SHARES } from '../../../ui/charts/line-chart.tsx';
import { formatCount, formatRatio, formatShare, isFew } from '../../../ui/format.ts';
import { showName } from '../../../ui/shown-name.ts';

export type Progression = ReportData['progression'];
export type Step = Progression['steps'][number];

/** A number of each step: a part of a whole, or a count. */
export const METRICS = [
  {
    value: 'left_share',
    name: 'Players who left',
    title: 'Share of the players of each step who left there',
    partsOf: ({ left, players }: Step) => [left, players] as const,
    write: formatShare,
    scale: SHARES,
  },
  {
    value: 'fail_ratio',
    name: 'Fail ratio',
    title: 'Share of the ended tries that failed',
    partsOf: ({ fails, completions }: Step) =>
      fails === null || completions === null ? null : ([fails, fails + completions] as const),
    write: formatShare,
    scale: SHARES,
  },
  {
    value: 'tries_per_completion',
    name: 'Tries per completion',
    title: 'Tries for each completion',
    partsOf: ({ starts, completions }: Step) =>
      completions === null ? null : ([starts, completions] as const),
    write: formatRatio,
    scale: RATIOS,
  },
  {
    value: 'players',
    name: 'Players',
    title: 'Players of each step',
    partsOf: ({ players }: Step) => [players, null] as const,
    write: formatCount,
    scale: COUNTS,
  },
] as const;
export type Metric = (typeof METRICS)[number];

/** The number of some groups at a step together; null if they have none, or of too few. */
export function numberOf(metric: Metric, steps: readonly Step[]): number | null {
  const parts = steps.flatMap((step) => {
    const found = metric.partsOf(step);
    return found === null ? [] : [found];
  });
  if (parts.length === 0) return null;
  const part = sum(parts.map(([one]) => one));
  if (metric.value === 'players') return part;
  const whole = sum(parts.map(([, all]) => all ?? 0));
  return isFew(whole) ? null : part / whole;
}

/** The properties of the chart of a metric, with one line, or with one for each group. */
export function stepChart(progression: Progression, metric: Metric) {
  const { groups } = progression;
  // The last steps, which few players have reached, would leave the end of the chart empty.
  const last = progression.steps.findLastIndex((step) => numberOf(metric, [step]) !== null);
  const steps = progression.steps.slice(0, last + 1);
  const line: GroupLine = {
    key: 'all',
    name: metric.name,
    color: 'var(--chart)',
    values: steps.map((step) => numberOf(metric, [step])),
  };
  const find = (own: readonly Step[], value: string) => own.find((step) => step.value === value);
  return {
    label: `${metric.title}${groups.length > 0 ? ', by group' : ''}`,
    periods: steps.map(({ value }) => showName(value)),
    groups,
    lines:
      groups.length === 0
        ? [line]
        : linesOf(groups, (of) => ({
            values: steps.map(({ value }) =>
              numberOf(
                metric,
                of.flatMap((group) => find(group.steps, value) ?? []),
              ),
            ),
            players: sum(of.map(({ players }) => players)),
          })),
    scale: metric.scale,
    isSum: metric.value === 'players',
  };
}

/** The step at which the most players left; undefined if nobody left. */
export const worstOf = (steps: readonly Step[]): Step | undefined =>
  steps.filter(({ left }) => left > 0).toSorted((a, b) => b.left - a.left)[0];
