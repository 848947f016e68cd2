import { Few } from '../ui/share.tsx';
import { LineChart } from '../ui/charts/line-chart.tsx';
import type { Scale, Series } from '../ui/charts/line-chart.tsx';
import { FEW, formatSignedShare } from '@overworld/contract/percents';
import { formatCalendarDay, formatChange, isFew, writeShare } from '../ui/format.ts';
import { Note } from '../ui/text.tsx';
import { mean } from './summary.ts';

/** A number that a report has for each day. */
export interface Metric<Day> {
  /** The name of the metric in the URL. */
  value: string;
  name: string;
  /** The heading of the chart; by default the name of the metric. */
  title?: string;
  /** Returns the metric's number for a day, or null if the day has none. */
  of: (day: Day) => number | null;
  write: (number: number) => string;
  scale?: Scale;
  /** The number of players, sessions or purchases of which a day's number is a share or a mean. */
  base?: (day: Day) => number;
  /** True if the number is a share of `base`. */
  isShare?: boolean;
  /** True if the numbers of groups of players add up to the number of all. */
  isSum?: boolean;
  /** The number by which a day's number was divided, if that is not `base`. */
  whole?: (day: Day) => number;
  /** True if the number of several groups does not follow from the numbers of each. */
  isApart?: boolean;
}

/** Tells whether a day's number is a share or a mean of too few players, sessions or purchases. */
export const isOfFew = <Day,>({ base }: Metric<Day>, day: Day): boolean =>
  base !== undefined && isFew(base(day));

/** Returns the value by which rows are sorted. Shares of too few players come last. */
export const sortValueOf = <Day,>(metric: Metric<Day>, day: Day): number | null =>
  metric.isShare && isOfFew(metric, day) ? null : metric.of(day);

/** Writes the change of a metric from one day to another; null if one of the numbers says too little. */
export function changeOf<Day>(metric: Metric<Day>, before: Day, now: Day): string | null {
  const [from, to] = [metric.of(before), metric.of(now)];
  if (from === null || to === null || from <= 0) return null;
  if (metric.base === undefined) return formatChange(to, from);
  return isOfFew(metric, before) || isOfFew(metric, now) ? null : formatSignedShare(to / from - 1);
}

/** Writes the average of a metric over some days, or a dash if it is a share of too few players. */
export function writeAverage<Day>(metric: Metric<Day>, days: readonly Day[]): string {
  const { base, isShare, write } = metric;
  if (isShare && base !== undefined && isFew(mean(days.map(base)))) return '–';
  return write(averageOf(metric, days));
}

/** Writes the metric's number for a day as text, or a dash if the day has none. */
export function writeMetric<Day>(metric: Metric<Day>, day: Day | undefined): string {
  if (day === undefined) return '–';
  const { of, write, base, isShare } = metric;
  const number = of(day);
  if (number === null) return '–';
  if (!isShare || base === undefined) return write(number);
  return writeShare(Math.round(number * base(day)), base(day));
}

/** Shows what `writeMetric` writes. A share of too few players is grey. */
export function MetricNumber<Day>({ metric, day }: { metric: Metric<Day>; day: Day }) {
  const words = writeMetric(metric, day);
  return metric.isShare && isOfFew(metric, day) ? <Few>{words}</Few> : words;
}

/** Returns the average of a metric over the days on which it has a number. */
export const averageOf = <Day,>({ of }: Metric<Day>, days: readonly Day[]) =>
  mean(days.map(of).filter((number) => number !== null));

/** A chart of a metric over the days of a report. */
export function MetricChart<Day extends { day: string }>(props: {
  metric: Metric<Day>;
  days: readonly Day[];
  /** True if the last day is not over yet. */
  isUnfinished: boolean;
  /** A second line for comparison with the line of the metric. */
  other?: Series | null;
}) {
  const { metric, days, isUnfinished, other } = props;
  const { name, title = name, of, scale, isShare, isSum } = metric;
  if (isShare && days.every((day) => isOfFew(metric, day))) {
    return (
      <Note py="md">
        On each of these days the share is of fewer than {FEW}: too few for a chart.
      </Note>
    );
  }
  return (
    <LineChart
      label={`${title}, day by day`}
      periods={days.map(({ day }) => formatCalendarDay(day))}
      times={days.map(({ day }) => day)}
      series={[
        { name, values: days.map((day) => of(day) ?? (isSum ? 0 : null)) },
        ...(other ? [other] : []),
      ]}
      scale={scale}
      isLastUnfinished={isUnfinished}
    />
  );
}

/** Makes the line of the previous period, for comparison with the line of the report. */
export const seriesBefore = (values: readonly (number | null)[]): Series => ({
  name: 'period before',
  values,
  isCompared: true,
  isOver: true,
});
