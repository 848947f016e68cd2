import type { ReactNode } from 'react';
import { formatMetric } from '@overworld/contract/metrics/metric-numbers';
import { DatedReport } from '../../reports/dated-report.tsx';
import { MetricNumber } from '../../reports/metric.tsx';
import { MetricsCard } from '../../reports/metrics-card.tsx';
import { MetricSplitLines } from '../../reports/players/split-chart.tsx';
import { SplitCard } from '../../reports/players/split-card.tsx';
import { useReport } from '../../reports/use-report.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { EmptyCard } from '../../ui/page.tsx';
import { column, dayColumn, numberColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { InZone } from '../../ui/time/moment.tsx';
import { definitionWords, sizeOf, toChartMetric } from './metric-words.ts';
import type { DefinedMetric, MetricDay, MetricReport } from './metric-words.ts';

type MetricGroup = MetricReport['groups'][number];

/** The chart of a metric, with the numbers of each group of players if it is split. */
export function MetricReportCards(props: {
  metric: DefinedMetric;
  metrics: readonly DefinedMetric[];
  filters: ReactNode;
}) {
  const { metric, metrics, filters } = props;
  const report = useReport('metric', { metric_key: metric.key }, { file_name: metric.key });
  const nameOf = (key: string) => metrics.find((each) => each.key === key)?.name ?? key;
  return (
    <DatedReport report={report} filters={filters}>
      {(data) =>
        data.days.every(({ base }) => base === 0) ? (
          <EmptyCard title="Nothing in these days">
            No event counts for this metric: {definitionWords(metric, nameOf)}.
          </EmptyCard>
        ) : (
          <>
            <MetricsCard
              id="days"
              metrics={[toChartMetric(data)]}
              days={data.days}
              report={report}
              before={report.before?.days}
              caption={() => (
                <>
                  <b>{writeTotal(data, data.total)}</b> in these days together.{' '}
                  <span className="name">{definitionWords(metric, nameOf)}.</span>{' '}
                  <InZone zone={data.time_zone} />
                </>
              )}
              table={{
                label: `${metric.name} by day`,
                rows: data.days.toReversed(),
                rowKey: ({ day }) => day,
                columns: [
                  dayColumn<MetricDay>(),
                  {
                    ...numberColumn('number', metric.name, ({ number }: MetricDay) => number),
                    cell: (day: MetricDay) => (
                      <MetricNumber metric={toChartMetric(data)} day={day} />
                    ),
                  },
                  numberColumn('base', baseWords(metric), ({ base }: MetricDay) => base),
                ],
              }}
            />
            <SplitCard
              groups={data.groups}
              columns={groupColumns(data, metric)}
              isWaiting={report.isWaiting}
              chart={
                <MetricSplitLines
                  metrics={[toChartMetric(data)]}
                  groups={data.groups}
                  isUnfinished={report.range.isUnfinished}
                  sizeOf={sizeOf}
                />
              }
            />
          </>
        )
      }
    </DatedReport>
  );
}

const writeTotal = ({ metric }: MetricReport, { number }: MetricReport['total']): string =>
  number === null ? '–' : formatMetric(number, metric);

/** Names the things behind a number. */
function baseWords({ kind, per }: DefinedMetric): string {
  if (kind === 'ratio') return 'Divided by';
  return kind === 'players' || per === 'player' ? 'Players' : 'Events';
}

function groupColumns(data: MetricReport, metric: DefinedMetric): Column<MetricGroup>[] {
  const highest = (days: readonly MetricDay[]) =>
    Math.max(Number.MIN_VALUE, ...days.map(({ number }) => number ?? 0));
  return [
    column<MetricGroup>('curve', 'By day', { width: 120 }, ({ days }) => (
      <Sparkline values={days.map(({ number }) => Math.max(0, number ?? 0) / highest(days))} />
    )),
    {
      ...numberColumn('number', metric.name, ({ total }: MetricGroup) => total.number),
      cell: ({ total }: MetricGroup) => (
        <MetricNumber metric={toChartMetric(data)} day={{ day: '', ...total }} />
      ),
    },
    numberColumn('base', baseWords(metric), ({ total }: MetricGroup) => total.base),
  ];
}
