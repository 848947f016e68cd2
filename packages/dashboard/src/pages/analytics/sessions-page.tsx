import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { CsvButton } from '../../reports/csv-button.tsx';
import { RangePicker } from '../../reports/days/range-picker.tsx';
import { ReportCard } from '../../reports/report-card.tsx';
import { finishedDays, mean } from '../../reports/summary.ts';
import { useReportRange } from '../../reports/days/use-report-range.ts';
import { useGame } from '../../shell/game.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Figures } from '../../ui/charts/figures.tsx';
import {
  countOf,
  formatCalendarDay,
  formatCount,
  formatDuration,
  formatRatio,
  formatShare,
} from '../../ui/format.ts';
import { LineChart, RATIOS, SECONDS } from '../../ui/charts/line-chart.tsx';
import { Card, Lines, Loaded, Page } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/sessions';
type Report = Answer<typeof REPORT>;
type Day = Report['days'][number];
type LengthClass = Report['length_classes'][number];

const METRICS = [
  {
    value: 'count',
    name: 'Sessions',
    member: 'session_count',
    write: formatCount,
    scale: undefined,
  },
  {
    value: 'per_player',
    name: 'Sessions per player',
    member: 'sessions_per_player',
    write: formatRatio,
    scale: RATIOS,
  },
  {
    value: 'length',
    name: 'Average length',
    member: 'average_seconds',
    write: formatDuration,
    scale: SECONDS,
  },
] as const;
type Metric = (typeof METRICS)[number];

const writeOf = ({ write, member }: Metric, day: Day | undefined) => {
  const value = day?.[member] ?? null;
  return value === null ? '–' : write(value);
};
/** Averages of days, without those on which nobody came. */
const averageOf = ({ member }: Metric, days: readonly Day[]) =>
  mean(days.map((day) => day[member]).filter((value) => value !== null));

export function Component() {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const { from, to } = range;
  const input = { params: { game_id }, query: { environment, from, to } };
  const report = useRead(REPORT, input, { keep: true });
  const csv = (
    <CsvButton route={REPORT} input={input} name={`sessions-${environment}-${from}-${to}`} />
  );
  return (
    <Page title="Sessions" lead="How often people play, and for how long.">
      <Stack gap="md">
        <RangePicker range={range} />
        <Loaded
          query={report}
          skeleton={
            <Card>
              <Lines count={12} />
            </Card>
          }
        >
          {(data) =>
            data.session_count === 0 ? (
              <Card>
                <EmptyState title="No sessions in these days">
                  Choose other days. A session is all events of a player with one session_id.
                </EmptyState>
              </Card>
            ) : (
              <>
                <ByDay
                  report={data}
                  isUnfinished={range.isUnfinished}
                  isWaiting={report.isPlaceholderData}
                  csv={csv}
                />
                <Lengths report={data} isWaiting={report.isPlaceholderData} />
              </>
            )
          }
        </Loaded>
      </Stack>
    </Page>
  );
}

function ByDay(props: {
  report: Report;
  isUnfinished: boolean;
  isWaiting: boolean;
  csv: ReactNode;
}) {
  const { report, isUnfinished, isWaiting, csv } = props;
  const { days, session_count, average_seconds, time_zone } = report;
  const { search, set } = useSearchState();
  const metric = METRICS.find(({ value }) => value === search.get('figure')) ?? METRICS[0];
  const finished = finishedDays(days, isUnfinished);
  const last = days.at(-1)!;
  return (
    <ReportCard
      id="days"
      title={metric.name}
      caption={
        <>
          <b>{countOf(session_count, 'session')}</b> in these days, on average{' '}
          <b>{formatDuration(average_seconds ?? 0)}</b> long
          {finished.length > 0 &&
            `; a player who comes on a day has ${formatRatio(averageOf(METRICS[1], finished))} of them`}
          . Days in {time_zone}.
        </>
      }
      isWaiting={isWaiting}
      actions={csv}
      head={
        <Figures
          shown={metric.value}
          onShow={(value) => set({ figure: value === METRICS[0].value ? null : value })}
          figures={METRICS.map((each) => ({
            value: each.value,
            name: `${each.name}, ${isUnfinished ? 'today so far' : formatCalendarDay(last.day)}`,
            number: writeOf(each, last),
            compared: [
              ['Day before', writeOf(each, days.at(-2))],
              ['Average', each.write(averageOf(each, finished))],
            ],
          }))}
        />
      }
      chart={
        <LineChart
          label={`${metric.name} of each day`}
          periods={days.map(({ day }) => formatCalendarDay(day))}
          series={[{ name: metric.name, values: days.map((day) => day[metric.member] ?? 0) }]}
          scale={metric.scale}
          isLastUnfinished={isUnfinished}
        />
      }
      table={
        <DataTable
          label="Sessions by day"
          density="compact"
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          columns={DAY_COLUMNS}
          empty={null}
        />
      }
    />
  );
}

const DAY_COLUMNS: Column<Day>[] = [
  { id: 'day', head: 'Day', value: ({ day }) => day, cell: ({ day }) => formatCalendarDay(day) },
  ...METRICS.map((metric) => ({
    id: metric.value,
    head: metric.name,
    align: 'end' as const,
    value: (day: Day) => day[metric.member],
    cell: (day: Day) => writeOf(metric, day),
  })),
];

function Lengths({ report, isWaiting }: { report: Report; isWaiting: boolean }) {
  const { length_classes, session_count } = report;
  const [shortest] = length_classes;
  const largest = length_classes.reduce((a, b) => (b.session_count > a.session_count ? b : a));
  const shareOf = (of: LengthClass) => formatShare(of.session_count / session_count);
  return (
    <ReportCard
      id="lengths"
      title="How long sessions last"
      caption={
        <>
          Most often <b>{lengthWords(largest)}</b>: {shareOf(largest)} of sessions.{' '}
          {shortest!.session_count >= session_count / 100 &&
            shortest !== largest &&
            `${shareOf(shortest!)} end within ${shortest!.below_seconds} s.`}
        </>
      }
      isWaiting={isWaiting}
      chart={
        <Bars
          label="Sessions by length"
          accent="all"
          bars={length_classes.map((each) => ({
            name: lengthWords(each),
            value: each.session_count,
          }))}
        />
      }
      table={
        <DataTable
          label="Sessions by length"
          density="compact"
          rows={length_classes}
          rowKey={({ from_seconds }) => String(from_seconds)}
          columns={[
            { id: 'length', head: 'Length', cell: lengthWords },
            {
              id: 'count',
              head: 'Sessions',
              align: 'end',
              cell: (each) => formatCount(each.session_count),
            },
            { id: 'share', head: 'Share', align: 'end', cell: shareOf },
          ]}
          empty={null}
        />
      }
    />
  );
}

function lengthWords({ from_seconds, below_seconds }: LengthClass): string {
  if (below_seconds === null) return `over ${formatDuration(from_seconds)}`;
  if (from_seconds === 0) return `under ${formatDuration(below_seconds)}`;
  const [first, last] = [formatDuration(from_seconds), formatDuration(below_seconds)];
  const unit = last.split(' ').at(-1)!;
  return `${first.endsWith(` ${unit}`) ? first.slice(0, -unit.length - 1) : first} – ${last}`;
}
