import type { Metric } from '../../../reports/metric.tsx';
import type { ReportData } from '../../../reports/report-data.ts';
import { sum } from '../../../reports/summary.ts';
import { RATIOS, SECONDS } from '../../../ui/charts/line-chart.tsx';
import { formatCount, formatDuration, formatRatio } from '../../../ui/format.ts';

export type Report = ReportData['sessions'];
export type Day = Report['days'][number];
export type LengthClass = Report['length_classes'][number];

/** The players with a session on a day. */
const playersOf = ({ session_count, sessions_per_player }: Day): number =>
  sessions_per_player === null ? 0 : Math.round(session_count / sessions_per_player);

/** The players of a group, each counted on each day with a session. */
export const sizeOf = (days: readonly Day[]): number => sum(days.map(playersOf));

export const PER_PLAYER: Metric<Day> = {
  value: 'per_player',
  name: 'Sessions per player',
  of: ({ sessions_per_player }) => sessions_per_player,
  write: formatRatio,
  scale: RATIOS,
  base: ({ session_count }) => session_count,
  whole: playersOf,
};
export const METRICS: readonly Metric<Day>[] = [
  {
    value: 'count',
    name: 'Sessions',
    of: ({ session_count }) => session_count,
    write: formatCount,
    isSum: true,
  },
  PER_PLAYER,
  {
    value: 'length',
    name: 'Average length',
    of: ({ average_seconds }) => average_seconds,
    write: formatDuration,
    scale: SECONDS,
    base: ({ session_count }) => session_count,
  },
];

export function lengthWords({ from_seconds, below_seconds }: LengthClass): string {
  if (below_seconds === null) return `over ${formatDuration(from_seconds)}`;
  if (from_seconds === 0) return `under ${formatDuration(below_seconds)}`;
  const [first, last] = [formatDuration(from_seconds), formatDuration(below_seconds)];
  const unit = last.split(' ').at(-1)!;
  return `${first.endsWith(` ${unit}`) ? first.slice(0, -unit.length - 1) : first} – ${last}`;
}
