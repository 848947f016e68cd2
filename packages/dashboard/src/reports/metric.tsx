import { LineChart } from '../ui/charts/line-chart.tsx';
import type { Scale, Series } from '../ui/charts/line-chart.tsx';
import { formatCalendarDay } from '../ui/format.ts';
import { mean } from './summary.ts';

/** A kind of number that each day of a report has. */
export interface Metric<Day> {
  /** Names the metric in the URL. */
  value: string;
  name: string;
  /** The heading of the chart; by default the name of the metric. */
  title?: string;
  /** Returns null for a day that has no such number. */
  of: (day: Day) => number | null;
  write: (number: number) => string;
  scale?: Scale;
}

/** The number of a day as text, or a dash where the day has none. */
export function writeMetric<Day>({ of, write }: Metric<Day>, day: Day | undefined): string {
  const number = day === undefined ? null : of(day);
  return number === null ? '–' : write(number);
}

/** The average over the days that have a number. */
export const averageOf = <Day,>({ of }: Metric<Day>, days: readonly Day[]) =>
  mean(days.map(of).filter((number) => number !== null));

/** A chart of a metric over the days of a report. */
export function MetricChart<Day extends { day: string }>(props: {
  metric: Metric<Day>;
  days: readonly Day[];
  /** True if the last day is not over yet. */
  isUnfinished: boolean;
  /** A second line, to compare with the line of the metric. */
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

/** The line of the period before, under the line of the report. */
export const seriesBefore = (values: readonly number[]): Series => ({
  name: 'period before',
  values,
  isCompared: true,
  isOver: true,
});
