import { formatCalendarDay, isFew } from '../../ui/format.ts';
import { todayIn } from '../days/report-days.ts';
import { averageOf, MetricChart, writeAverage, writeMetric } from '../metric.tsx';
import type { Metric } from '../metric.tsx';
import type { PlayerGroup } from '../players/player-selection.ts';
import { CardSplitLines, metricLines } from '../players/split-chart.tsx';
import { finishedDays, mean } from '../summary.ts';
import { groupsOf } from './card-groups.tsx';
import type { Drawn, GroupNumbers } from './draw-card.ts';

type Group<Day> = PlayerGroup & { days: Day[] };

/**
 * Draws the metric that a card names, over the days of a report.
 * @param sizeOf Returns the number of players behind the numbers of a group.
 */
export function drawMetric<Day extends { day: string }>(
  metrics: readonly Metric<Day>[],
  chart: string,
  report: { days: readonly Day[]; time_zone: string; groups?: readonly Group<Day>[] },
  sizeOf: (days: readonly Day[]) => number = () => Infinity,
): Drawn | null {
  const { days, time_zone, groups } = report;
  const metric = metrics.find(({ value }) => value === chart);
  const last = days.at(-1);
  if (metric === undefined || last === undefined) return null;
  const isUnfinished = last.day >= todayIn(time_zone);
  const finished = finishedDays(days, isUnfinished);
  return {
    words: (
      <>
        <b>{writeMetric(metric, last)}</b>{' '}
        {isUnfinished ? 'today so far' : `on ${formatCalendarDay(last.day)}`}
        {finished.length > 1 && `, ${writeAverage(metric, finished)} on average`}
      </>
    ),
    chart: groups?.length ? (
      <CardSplitLines {...metricLines(metric, groups, isUnfinished, sizeOf)} />
    ) : (
      <MetricChart metric={metric} days={days} isUnfinished={isUnfinished} />
    ),
    groups: groups && averagesOf(metric, groups, isUnfinished),
  };
}

/** Makes the average of each group over the days that are over. */
function averagesOf<Day>(
  metric: Metric<Day>,
  groups: readonly Group<Day>[],
  isUnfinished: boolean,
): GroupNumbers {
  const average = ({ days }: Group<Day>) => {
    const finished = finishedDays(days, isUnfinished);
    return averageOf(metric, finished.length === 0 ? days : finished);
  };
  const made = groupsOf(`${metric.name}, on average a day`, groups, average, metric.write);
  const { base, isShare } = metric;
  if (!isShare || base === undefined) return made;
  const bars = made.bars.map((bar, index) =>
    isFew(mean(groups[index]!.days.map(base)))
      ? { ...bar, number: null, text: 'too few players' }
      : bar,
  );
  return { ...made, full: 1, bars };
}
