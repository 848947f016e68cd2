import { DatedReport } from '../../../reports/dated-report.tsx';
import { MetricsCard } from '../../../reports/metrics-card.tsx';
import { averageOf } from '../../../reports/metric.tsx';
import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import { useDrillDown } from '../../../reports/drill-down/cells.ts';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { MetricSplitLines } from '../../../reports/players/split-chart.tsx';
import { finishedDays } from '../../../reports/summary.ts';
import { ReportCard } from '../../../reports/report-card.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import {
  countOf,
  formatCount,
  formatDuration,
  formatRatio,
  isFew,
  writeShare,
} from '../../../ui/format.ts';
import { shareColumn } from '../../../ui/share.tsx';
import { EmptyCard, Page } from '../../../ui/page.tsx';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { column, dayColumn, memberColumn, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { InZone } from '../../../ui/time/moment.tsx';
import { LengthBars } from './length-bars.tsx';
import { lengthWords, METRICS, PER_PLAYER, sizeOf } from './metrics.ts';
import type { Day, LengthClass, Report } from './metrics.ts';

type SessionGroup = Report['groups'][number];

const groupColumns = (isUnfinished: boolean): Column<SessionGroup>[] => [
  column('curve', 'By day', { width: 120 }, ({ days }) => (
    <Sparkline values={days.map(({ session_count }) => session_count)} />
  )),
  memberColumn('session_count', 'Sessions'),
  numberColumn(
    'per_player',
    'Per player and day',
    ({ days }) => averageOf(PER_PLAYER, finishedDays(days, isUnfinished)),
    formatRatio,
  ),
  memberColumn('average_seconds', 'Average length', formatDuration),
];

export function Component() {
  const report = useReport('sessions', {});
  return (
    <Page title="Sessions" lead="How often people play, and for how long.">
      <DatedReport report={report}>
        {(data) =>
          data.session_count === 0 ? (
            <EmptyCard title="No sessions in these days">
              Choose other days. A session is all events of a player with one session_id.
            </EmptyCard>
          ) : (
            <>
              <ByDay data={data} report={report} before={report.before?.days} />
              <SplitCard
                groups={data.groups}
                columns={groupColumns(report.range.isUnfinished)}
                cell={{ report: 'sessions', from: data.from, to: data.to }}
                isWaiting={report.isWaiting}
                chart={
                  <MetricSplitLines
                    metrics={METRICS}
                    groups={data.groups}
                    isUnfinished={report.range.isUnfinished}
                    sizeOf={sizeOf}
                  />
                }
              />
              <Lengths data={data} report={report} />
            </>
          )
        }
      </DatedReport>
    </Page>
  );
}

function ByDay(props: { data: Report; report: ReportState; before?: readonly Day[] }) {
  const { data, report, before } = props;
  const { days, session_count, average_seconds, time_zone } = data;
  return (
    <MetricsCard
      id="days"
      metrics={METRICS}
      days={days}
      report={report}
      before={before}
      caption={(_metric, finished) => (
        <>
          <b>{countOf(session_count, 'session')}</b> in these days, on average{' '}
          <b>{formatDuration(average_seconds ?? 0)}</b> long
          {finished.length > 0 &&
            `; a player who comes on a day has ${formatRatio(averageOf(PER_PLAYER, finished))} of them`}
          . <InZone zone={time_zone} />
        </>
      )}
      table={{
        label: 'Sessions by day',
        rows: days.toReversed(),
        rowKey: ({ day }) => day,
        columns: [
          dayColumn<Day>(),
          {
            ...numberColumn('players', 'Sessions', ({ session_count: count }: Day) => count),
            cell: ({ day, session_count: count }: Day) => (
              <DrillDownButton cell={{ report: 'sessions', from: day, to: day }}>
                {formatCount(count)}
              </DrillDownButton>
            ),
          },
          ...METRICS.slice(1).map(({ value, name, of, write }) =>
            numberColumn(value, name, of, write),
          ),
        ],
      }}
    />
  );
}

function Lengths({ data, report }: { data: Report; report: ReportState }) {
  const { length_classes, session_count } = data;
  const { show } = useDrillDown();
  const [shortest] = length_classes;
  const largest = length_classes.reduce((a, b) => (b.session_count > a.session_count ? b : a));
  const shareOf = (of: LengthClass) => writeShare(of.session_count, session_count);
  return (
    <ReportCard
      id="lengths"
      title="How long sessions last"
      caption={
        <>
          Most often <b>{lengthWords(largest)}</b>: {shareOf(largest)}
          {!isFew(session_count) && ' of'} sessions.{' '}
          {shortest!.session_count >= session_count / 100 &&
            shortest !== largest &&
            `${shareOf(shortest!)} end within ${shortest!.below_seconds} s.`}
        </>
      }
      isWaiting={report.isWaiting}
      actions={report.pin('lengths', 'How long sessions last')}
      chart={
        <LengthBars
          classes={length_classes}
          onOpen={(length_class) =>
            show({ report: 'sessions', from: data.from, to: data.to, length_class })
          }
        />
      }
      table={{
        label: 'Sessions by length',
        rows: length_classes,
        rowKey: ({ from_seconds }) => String(from_seconds),
        columns: [
          column('length', 'Length', lengthWords),
          column<LengthClass>('count', 'Sessions', { align: 'end' }, (each) => (
            <DrillDownButton
              cell={{
                report: 'sessions',
                from: data.from,
                to: data.to,
                length_class: length_classes.indexOf(each),
              }}
            >
              {formatCount(each.session_count)}
            </DrillDownButton>
          )),
          shareColumn('share', 'Share', (each: LengthClass) => [each.session_count, session_count]),
        ],
      }}
    />
  );
}
