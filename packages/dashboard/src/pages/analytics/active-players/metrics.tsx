import { FEW } from '@overworld/contract/percents';
import type { ReactNode } from 'react';
import { averageOf } from '../../../reports/metric.tsx';
import type { Metric } from '../../../reports/metric.tsx';
import type { ReportData } from '../../../reports/report-data.ts';
import { mean } from '../../../reports/summary.ts';
import { SHARES } from '../../../ui/charts/line-chart.tsx';
import { countOf, formatCalendarDay, formatCount, formatShare, isFew } from '../../../ui/format.ts';

export type Day = ReportData['active-players']['days'][number];

interface PlayersMetric extends Metric<Day> {
  of: (day: Day) => number;
  /**
   * Returns the sentence that is shown below the chart. `most` is a text with the highest number and its day.
   */
  caption: (average: number, most: string, days: readonly Day[]) => ReactNode;
}

const captionWithin = (days: number) => (average: number, most: string) => (
  <>
    Within {days} days, on average <b>{countOf(Math.round(average), 'player')}</b> came at least
    once; the most were {most}.
  </>
);

export const METRICS: readonly PlayersMetric[] = [
  {
    value: 'daily',
    name: 'Daily (DAU)',
    title: 'Daily active players',
    of: ({ daily }) => daily,
    write: formatCount,
    isSum: true,
    caption: (average, most, days) => (
      <>
        On average <b>{countOf(Math.round(average), 'player')}</b> a day,{' '}
        {formatCount(Math.round(mean(days.map((day) => day.new_players))))} of them new; the most
        were {most}.
      </>
    ),
  },
  {
    value: 'weekly',
    name: 'Weekly (WAU)',
    title: 'Weekly active players',
    of: ({ weekly }) => weekly,
    write: formatCount,
    isSum: true,
    caption: captionWithin(7),
  },
  {
    value: 'monthly',
    name: 'Monthly (MAU)',
    title: 'Monthly active players',
    of: ({ monthly }) => monthly,
    write: formatCount,
    isSum: true,
    caption: captionWithin(30),
  },
  {
    value: 'stickiness',
    name: 'Stickiness',
    of: ({ stickiness }) => stickiness ?? 0,
    write: formatShare,
    scale: SHARES,
    base: ({ monthly }) => monthly,
    isShare: true,
    caption: (average, most) =>
      average === 0 ? (
        'Nobody came.'
      ) : (
        <>
          Of the players of a month, <b>{formatShare(average)}</b> come on a given day: a player
          comes about every {formatCount(Math.max(1, Math.round(1 / average)))} days. The most were{' '}
          {most}.
        </>
      ),
  },
];

/**
 * The page of active players shows this metric beside the daily players. On dashboards it is shown by itself.
 */
export const NEW_PLAYERS: Metric<Day> = {
  value: 'new_players',
  name: 'New players',
  of: ({ new_players }) => new_players,
  write: formatCount,
  isSum: true,
};

/** The players of a group in the month in which it had most of them. */
export const sizeOf = (days: readonly Day[]): number =>
  Math.max(0, ...days.map(({ monthly }) => monthly));

export function captionOf(metric: PlayersMetric, days: readonly Day[]): ReactNode {
  if (days.length === 0) return 'No day of this range is over yet.';
  if (metric.isShare && isFew(mean(days.map(metric.base ?? metric.of)))) {
    return `Fewer than ${FEW} players came in a month: too few for a share.`;
  }
  const best = days.reduce((a, b) => (metric.of(b) > metric.of(a) ? b : a));
  const most = `${metric.write(metric.of(best))} on ${formatCalendarDay(best.day)}`;
  return metric.caption(averageOf(metric, days), most, days);
}
