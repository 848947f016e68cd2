import type { ReactNode } from 'react';
import { Figures } from '../ui/charts/figures.tsx';
import type { ComparedNumber, Figure } from '../ui/charts/figures.tsx';
import type { Series } from '../ui/charts/line-chart.tsx';
import { formatCalendarDay, formatWeekday } from '../ui/format.ts';
import { useSearchChoice } from '../ui/search-state.ts';
import type { DataTableProps } from '../ui/tables/data-table.tsx';
import {
  changeOf,
  isOfFew,
  MetricChart,
  seriesBefore,
  writeAverage,
  writeMetric,
} from './metric.tsx';
import type { Metric } from './metric.tsx';
import { ReportCard } from './report-card.tsx';
import { finishedDays } from './summary.ts';
import type { ReportState } from './use-report.tsx';

/**
 * Makes the line of the previous period. The first day of that period is drawn at the first day of the
 * report, the second day at the second, and so on.
 */
const beforeLine = <Day,>(
  { of, isSum }: Metric<Day>,
  days: readonly Day[],
  before: readonly Day[],
) =>
  seriesBefore(
    days.map((_day, place) => {
      const day = before[place];
      return (day === undefined ? null : of(day)) ?? (isSum ? 0 : null);
    }),
  );

/**
 * A card that shows one of several metrics over the days of a
 * report. Readers choose the metric by a click on its figure.
 */
export function MetricsCard<Day extends { day: string }, M extends Metric<Day>, Row>(props: {
  id: string;
  metrics: readonly M[];
  days: readonly Day[];
  report: ReportState;
  /** The words on the chart; `finished` are the days that are over. */
  caption: (metric: M, finished: readonly Day[]) => ReactNode;
  /** A second line, to compare with the line of the metric. */
  compared?: (metric: M) => Series | null;
  /** The days of the previous period, if the reader compares. Their line replaces the second line. */
  before?: readonly Day[];
  table: DataTableProps<Row>;
  /** While today is not over: more numbers that today's number is compared with. */
  soFar?: (metric: M) => readonly ComparedNumber[];
  /** Replaces the figure of a metric; by default it is about the last full day. */
  figureOf?: (metric: M) => Omit<Figure, 'value'>;
  /** Shown before the button that pins. */
  actions?: ReactNode;
  /** Parameters of a pinned card that replace parameters of the page. */
  pinned?: Record<string, unknown>;
}) {
  const { id, metrics, days, report, caption, compared, before, table, soFar } = props;
  const { isUnfinished } = report.range;
  const [shown, show] = useSearchChoice(
    'figure',
    metrics.map(({ value }) => value),
  );
  const metric = metrics.find(({ value }) => value === shown)!;
  const { name, title = name } = metric;
  const finished = finishedDays(days, isUnfinished);
  const lastDay = (of: M) => ({
    ...headline(of, days, finished, before),
    soFar: isUnfinished
      ? [
          ...(finished.length > 0 ? [['Today so far', writeMetric(of, days.at(-1))] as const] : []),
          ...(soFar?.(of) ?? []),
        ]
      : [],
  });
  const figureOf = props.figureOf ?? lastDay;
  const other = before === undefined ? compared?.(metric) : beforeLine(metric, days, before);
  return (
    <ReportCard
      id={id}
      title={title}
      caption={caption(metric, finished)}
      isWaiting={report.isWaiting}
      actions={
        <>
          {props.actions}
          {report.pinAndFile(metric.value, title, props.pinned)}
        </>
      }
      head={
        <Figures
          shown={shown}
          onShow={show}
          figures={metrics.map((each) => ({ value: each.value, ...figureOf(each) }))}
        />
      }
      chart={<MetricChart metric={metric} days={days} other={other} isUnfinished={isUnfinished} />}
      table={table}
    />
  );
}

/** Compares the number of the last full day with earlier days. If no day is full, shows today so far. */
function headline<Day extends { day: string }>(
  metric: Metric<Day>,
  days: readonly Day[],
  finished: readonly Day[],
  before: readonly Day[] | undefined,
) {
  const averageBefore: ComparedNumber[] =
    before === undefined ? [] : [['Average before', writeAverage(metric, before)]];
  const last = finished.at(-1);
  if (last === undefined) {
    const number = writeMetric(metric, days.at(-1));
    return { name: `${metric.name}, today so far`, number, compared: averageBefore };
  }
  const comparedWith = (name: string, day: Day | undefined): ComparedNumber => [
    name,
    writeMetric(metric, day),
    day === undefined ? null : changeOf(metric, day, last),
  ];
  const week_before = finished.at(-8);
  return {
    name: `${metric.name}, ${formatCalendarDay(last.day)}`,
    number: writeMetric(metric, last),
    isOfFew: isOfFew(metric, last),
    compared: [
      comparedWith('Day before', finished.at(-2)),
      ...(week_before ? [comparedWith(`${formatWeekday(last.day)} before`, week_before)] : []),
      ['Average', writeAverage(metric, finished)] as const,
      ...averageBefore,
    ],
  };
}
