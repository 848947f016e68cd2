import { DatedReport } from '../../../reports/dated-report.tsx';
import { MetricsCard } from '../../../reports/metrics-card.tsx';
import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import { addDays } from '../../../reports/days/report-days.ts';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { MetricSplitLines } from '../../../reports/players/split-chart.tsx';
import { finishedDays, mean, sum } from '../../../reports/summary.ts';
import type { ReportData } from '../../../reports/report-data.ts';
import { useReport } from '../../../reports/use-report.tsx';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { shareColumn } from '../../../ui/share.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Page } from '../../../ui/page.tsx';
import { column, dayColumn, memberColumn, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { InZone } from '../../../ui/time/moment.tsx';
import { useSoFar } from '../../../reports/so-far.ts';
import { captionOf, METRICS, sizeOf } from './metrics.tsx';
import type { Day } from './metrics.tsx';

const ACTIVE = { report: 'active-players', players: 'active' } as const;

/** A column with the players who were active on the day, or on any of the last `days` days up to it. */
const activeColumn = (
  id: 'daily' | 'weekly' | 'monthly',
  head: string,
  days: number,
): Column<Day> => ({
  ...numberColumn(id, head, (day: Day) => day[id]),
  cell: (day) => (
    <DrillDownButton cell={{ ...ACTIVE, from: addDays(day.day, 1 - days), to: day.day }}>
      {formatCount(day[id])}
    </DrillDownButton>
  ),
});

const NEW_COLUMN: Column<Day> = {
  ...memberColumn('new_players', 'New players'),
  cell: ({ day, new_players }) => (
    <DrillDownButton cell={{ ...ACTIVE, players: 'new', from: day, to: day }}>
      {formatCount(new_players)}
    </DrillDownButton>
  ),
};

type PlayerGroup = ReportData['active-players']['groups'][number];

const groupColumns = (isUnfinished: boolean): Column<PlayerGroup>[] => [
  column('curve', 'Daily', { width: 120 }, ({ days }) => (
    <Sparkline values={days.map(({ daily }) => daily)} />
  )),
  numberColumn('daily', 'Average a day', ({ days }) =>
    mean(finishedDays(days, isUnfinished).map(({ daily }) => daily)),
  ),
  numberColumn('monthly', 'Monthly at the end', ({ days }) => days.at(-1)!.monthly),
  numberColumn('new', 'New players', ({ days }) => sum(days.map((day) => day.new_players))),
];

export function Component() {
  const report = useReport('active-players', {});
  // Only the report on all players has numbers for a day that is not over.
  const soFar = useSoFar(report.range.isUnfinished && !report.isSlow);
  return (
    <Page
      title="Active players"
      lead="How many people play: on a day, within a week, within a month."
    >
      <DatedReport report={report}>
        {({ days, time_zone, groups }) => (
          <>
            <MetricsCard
              id="players"
              metrics={METRICS}
              days={days}
              report={report}
              before={report.before?.days}
              caption={(metric, finished) => (
                <>
                  {captionOf(metric, finished)} <InZone zone={time_zone} />
                </>
              )}
              compared={({ value }) =>
                value === 'daily'
                  ? {
                      name: 'of them new',
                      values: days.map(({ new_players }) => new_players),
                      isCompared: true,
                    }
                  : null
              }
              soFar={({ value }) => (value === 'daily' ? soFar('active_players') : [])}
              table={{
                label: 'Active players by day',
                rows: days.toReversed(),
                rowKey: ({ day }) => day,
                columns: [
                  dayColumn<Day>(),
                  activeColumn('daily', 'Daily', 1),
                  activeColumn('weekly', 'Weekly', 7),
                  activeColumn('monthly', 'Monthly', 30),
                  shareColumn('stickiness', 'Stickiness', ({ daily, monthly }: Day) => [
                    daily,
                    monthly,
                  ]),
                  NEW_COLUMN,
                ],
              }}
            />
            <SplitCard
              groups={groups}
              columns={groupColumns(report.range.isUnfinished)}
              cell={{ ...ACTIVE, from: report.range.from, to: report.range.to }}
              isWaiting={report.isWaiting}
              chart={
                <MetricSplitLines
                  metrics={METRICS}
                  groups={groups}
                  isUnfinished={report.range.isUnfinished}
                  sizeOf={sizeOf}
                />
              }
            />
          </>
        )}
      </DatedReport>
    </Page>
  );
}
