import { LineChart } from '../ui/charts/line-chart.tsx';
import type { Scale, Series } from '../ui/charts/line-chart.tsx';
import { formatCalendarDay } from '../ui/format.ts';
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
}

/** Writes the metric's number for a day as text, or a dash if the day has none. */
export function writeMetric<Day>({ of, write }: Metric<Day>, day: Day | undefined): string {
  const number = day === undefined ? null : of(day);
  return number === null ? '–' : write(number);
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
  const { name, title = name, of, scale } = metric;
  return (
    <LineChart
      label={`${title}, day by day`}
      periods={days.map(({ day }) => formatCalendarDay(day))}
      times={days.map(({ day }) => day)}
      series={[{ name, values: days.map((day) => of(day) ?? 0) }, ...(other ? [other] : [])]}
      scale={scale}
      isLastUnfinished={isUnfinished}
    />
  );
}

/** Makes the line of the previous period, for comparison with the line of the report. */
export const seriesBefore = (values: readonly number[]): Series => ({
  name: 'period before',
  values,
  isCompared: true,
  isOver: true,
});
