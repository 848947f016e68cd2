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
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { Figures } from '../../ui/charts/figures.tsx';
import { countOf, formatCalendarDay, formatCount, formatShare } from '../../ui/format.ts';
import { LineChart, SHARES } from '../../ui/charts/line-chart.tsx';
import { Card, Lines, Loaded, Page } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/active-players';
type Day = Answer<typeof REPORT>['days'][number];

const METRICS = [
  { value: 'daily', name: 'Daily (DAU)', title: 'Daily active players' },
  { value: 'weekly', name: 'Weekly (WAU)', title: 'Weekly active players' },
  { value: 'monthly', name: 'Monthly (MAU)', title: 'Monthly active players' },
  { value: 'stickiness', name: 'Stickiness', title: 'Stickiness' },
] as const;
type Metric = (typeof METRICS)[number]['value'];

const numberOf = (day: Day, metric: Metric) => day[metric] ?? 0;
const write = (metric: Metric, value: number) =>
  metric === 'stickiness' ? formatShare(value) : formatCount(value);

export function Component() {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const { from, to } = range;
  const input = { params: { game_id }, query: { environment, from, to } };
  const report = useRead(REPORT, input, { keep: true });
  return (
    <Page
      title="Active players"
      lead="How many people play: on a day, within a week, within a month."
    >
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
          {({ days, time_zone }) => (
            <ActivePlayers
              days={days}
              time_zone={time_zone}
              isUnfinished={range.isUnfinished}
              isWaiting={report.isPlaceholderData}
              csv={
                <CsvButton
                  route={REPORT}
                  input={input}
                  name={`active-players-${environment}-${from}-${to}`}
                />
              }
            />
          )}
        </Loaded>
      </Stack>
    </Page>
  );
}

function ActivePlayers(props: {
  days: Day[];
  time_zone: string;
  isUnfinished: boolean;
  isWaiting: boolean;
  csv: ReactNode;
}) {
  const { days, time_zone, isUnfinished, isWaiting, csv } = props;
  const { search, set } = useSearchState();
  const metric = METRICS.find(({ value }) => value === search.get('figure')) ?? METRICS[0];
  const last = days.at(-1)!;
  const before = days.at(-2);
  const finished = finishedDays(days, isUnfinished);
  return (
    <ReportCard
      id="players"
      title={metric.title}
      caption={<Words metric={metric.value} days={finished} time_zone={time_zone} />}
      isWaiting={isWaiting}
      actions={csv}
      head={
        <Figures
          shown={metric.value}
          onShow={(value) => set({ figure: value === METRICS[0].value ? null : value })}
          figures={METRICS.map(({ value, name }) => ({
            value,
            name: isUnfinished
              ? `${name}, today so far`
              : `${name}, ${formatCalendarDay(last.day)}`,
            number: write(value, numberOf(last, value)),
            compared: [
              ['Day before', before ? write(value, numberOf(before, value)) : '–'],
              ['Average', write(value, mean(finished.map((day) => numberOf(day, value))))],
            ],
          }))}
        />
      }
      chart={
        <LineChart
          label={`${metric.title} of each day`}
          periods={days.map(({ day }) => formatCalendarDay(day))}
          series={[
            { name: metric.name, values: days.map((day) => numberOf(day, metric.value)) },
            ...(metric.value === 'daily'
              ? [
                  {
                    name: 'of them new',
                    values: days.map(({ new_players }) => new_players),
                    isCompared: true,
                  },
                ]
              : []),
          ]}
          scale={metric.value === 'stickiness' ? SHARES : undefined}
          isLastUnfinished={isUnfinished}
        />
      }
      table={
        <DataTable
          label="Active players by day"
          density="compact"
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          columns={COLUMNS}
          empty={null}
        />
      }
    />
  );
}

/** What the chart says, of the days that are over. */
function Words(props: { metric: Metric; days: Day[]; time_zone: string }) {
  const { metric, days, time_zone } = props;
  const zone = `Days in ${time_zone}.`;
  if (days.length === 0) return <>No day of this range is over yet. {zone}</>;
  const average = mean(days.map((day) => numberOf(day, metric)));
  const best = days.reduce((a, b) => (numberOf(b, metric) > numberOf(a, metric) ? b : a));
  const most = `${write(metric, numberOf(best, metric))} on ${formatCalendarDay(best.day)}`;
  switch (metric) {
    case 'daily':
      return (
        <>
          On average <b>{countOf(Math.round(average), 'player')}</b> a day,{' '}
          {formatCount(Math.round(mean(days.map((day) => day.new_players))))} of them new; the most
          were {most}. {zone}
        </>
      );
    case 'weekly':
    case 'monthly':
      return (
        <>
          Within {metric === 'weekly' ? '7' : '30'} days, on average{' '}
          <b>{countOf(Math.round(average), 'player')}</b> came at least once; the most were {most}.{' '}
          {zone}
        </>
      );
    case 'stickiness':
      return average === 0 ? (
        <>Nobody came. {zone}</>
      ) : (
        <>
          Of the players of a month, <b>{formatShare(average)}</b> come on a given day: a player
          comes about every {formatCount(Math.max(1, Math.round(1 / average)))} days. The most were{' '}
          {most}. {zone}
        </>
      );
  }
}

const countColumn = (id: 'daily' | 'weekly' | 'monthly' | 'new_players', head: string) => ({
  id,
  head,
  align: 'end' as const,
  value: (day: Day) => day[id],
  cell: (day: Day) => formatCount(day[id]),
});

const COLUMNS: Column<Day>[] = [
  { id: 'day', head: 'Day', value: ({ day }) => day, cell: ({ day }) => formatCalendarDay(day) },
  countColumn('daily', 'Daily'),
  countColumn('weekly', 'Weekly'),
  countColumn('monthly', 'Monthly'),
  {
    id: 'stickiness',
    head: 'Stickiness',
    align: 'end',
    value: ({ stickiness }) => stickiness,
    cell: ({ stickiness }) => (stickiness === null ? '–' : formatShare(stickiness)),
  },
  countColumn('new_players', 'New players'),
];
