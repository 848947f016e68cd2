import { Button, SegmentedControl } from '@mantine/core';
import { MAX_HOURLY_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import { DatedReport } from '../../../reports/dated-report.tsx';
import { KeyFilter, useKeyFilter } from '../../../reports/key-filter.tsx';
import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import type { Cell } from '../../../reports/drill-down/cells.ts';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { PageSplitLines } from '../../../reports/players/split-chart.tsx';
import { ReportCard } from '../../../reports/report-card.tsx';
import { countDays, hoursAfter } from '../../../reports/days/report-days.ts';
import { useReportRange } from '../../../reports/days/use-report-range.ts';
import { useReport } from '../../../reports/use-report.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { seriesBefore } from '../../../reports/metric.tsx';
import { Card } from '../../../ui/page.tsx';
import { useSearchChoice, useSearchState } from '../../../ui/search-state.ts';
import { column, memberColumn, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { countLines, CountsChart, findEvent, writePeriod } from './counts-chart.tsx';
import type { Counts } from './counts-chart.tsx';
import { EventNames } from './event-names.tsx';
import { InZone } from '../../../ui/time/moment.tsx';
import { showName } from '../../../ui/shown-name.ts';

const NAMES_SHOWN = 100;
const UPDATE_EVERY_MS = 10_000;
/** For at most this many days, the chart shows hours, unless the reader chooses days. */
const SHORT_DAYS = 2;

export function EventCounts() {
  const key_id = useKeyFilter();
  const { from, to } = useReportRange();
  const days = countDays(from, to);
  const [wanted, setBy] = useSearchChoice(
    'by',
    days <= SHORT_DAYS ? ['hour', 'day'] : ['day', 'hour'],
  );
  const by = days > MAX_HOURLY_REPORT_DAYS ? 'day' : wanted;
  const report = useReport(
    'events',
    { by, key_id, limit: NAMES_SHOWN },
    { every: UPDATE_EVERY_MS },
  );
  return (
    <DatedReport
      report={report}
      filters={
        <>
          <SegmentedControl
            aria-label="Length of a period"
            data={[
              { value: 'day', label: 'By day' },
              { value: 'hour', label: 'By hour', disabled: days > MAX_HOURLY_REPORT_DAYS },
            ]}
            value={by}
            onChange={setBy}
          />
          <KeyFilter />
        </>
      }
      after={
        <Card flush>
          <EventNames query={report.read} />
        </Card>
      }
    >
      {(data) => (
        <>
          <Chart counts={data} report={report} before={report.before} />
          <SplitCard
            groups={data.groups}
            columns={GROUP_COLUMNS}
            cell={{ report: 'active-players', players: 'active', from: data.from, to: data.to }}
            isWaiting={report.isWaiting}
            chart={<PageSplitLines {...countLines(data, report.range.isUnfinished)} />}
          />
        </>
      )}
    </DatedReport>
  );
}

type EventGroup = Counts['groups'][number];

const GROUP_COLUMNS: Column<EventGroup>[] = [
  column('curve', 'Over time', { width: 120 }, ({ counts }) => <Sparkline values={counts} />),
  memberColumn('event_count', 'Events'),
];

/**
 * Describes the number shown for one day, so that the dashboard can list the players behind it: those who
 * sent this event, or those who sent any event if no event is chosen.
 */
const cellOf = (day: string, event_name: string | undefined): Cell =>
  event_name === undefined
    ? { report: 'active-players', players: 'active', from: day, to: day }
    : { report: 'events', event_name, from: day, to: day };

function Chart(props: { counts: Counts; report: ReportState; before?: Counts }) {
  const { counts, report, before } = props;
  const { isUnfinished } = report.range;
  const { search, set } = useSearchState();
  const chosen = findEvent(counts, search.get('event_name'));
  const shown = chosen ?? counts;
  const earlier = chosen && before ? findEvent(before, chosen.event_name) : before;
  const { by, periods, time_zone } = counts;
  const format = (period: string) => writePeriod(counts, period);
  const last = periods.at(-1);
  const toCome = by === 'hour' && last ? hoursAfter(last, counts.to, time_zone) : [];
  const axis = [...periods, ...toCome];
  const rows = periods.map((period, index) => ({ period, count: shown.counts[index] ?? 0 }));
  const most = rows.reduce((a, b) => (b.count > a.count ? b : a), { period: '', count: 0 });
  return (
    <ReportCard
      id="counts"
      title={
        chosen ? (
          <>
            {formatCount(chosen.event_count)} ×{' '}
            <code className="name">{showName(chosen.event_name)}</code>
          </>
        ) : (
          countOf(counts.event_count, 'event')
        )
      }
      caption={
        <>
          {most.count > 0 && (
            <>
              The most were <b>{formatCount(most.count)}</b> {by === 'hour' ? 'from' : 'on'}{' '}
              {format(most.period)}
              {by === 'hour' && ', within the hour'}.{' '}
            </>
          )}
          {before !== undefined && (
            <>
              In the period before: <b>{formatCount(earlier?.event_count ?? 0)}</b>.{' '}
            </>
          )}
          <InZone zone={time_zone} of={by === 'hour' ? 'Hours' : 'Days'} />
          {isUnfinished && ` ${by === 'hour' ? 'This hour' : 'Today'} is not over.`}
        </>
      }
      isWaiting={report.isWaiting}
      actions={
        <>
          {chosen && (
            <Button size="xs" variant="default" onClick={() => set({ event_name: null })}>
              All events
            </Button>
          )}
          {report.pinAndFile('counts', chosen?.event_name ?? 'Events', {
            event_name: chosen?.event_name,
            limit: 1,
          })}
        </>
      }
      chart={
        <CountsChart
          counts={counts}
          chosen={chosen}
          axis={axis}
          other={before && seriesBefore(axis.map((_period, place) => earlier?.counts[place] ?? 0))}
          isUnfinished={isUnfinished}
        />
      }
      table={{
        label: 'Events over time',
        rows: rows.toReversed(),
        rowKey: ({ period }) => period,
        columns: [
          column<(typeof rows)[number]>(
            'period',
            by === 'hour' ? 'Hour' : 'Day',
            { value: ({ period }) => period },
            ({ period }) => format(period),
          ),
          {
            ...numberColumn('count', 'Events', ({ count }: (typeof rows)[number]) => count),
            // The report can list the players of a day, but not the players of an hour.
            ...(counts.by === 'day' && {
              cell: ({ period, count }: (typeof rows)[number]) => (
                <DrillDownButton cell={cellOf(period, chosen?.event_name)}>
                  {formatCount(count)}
                </DrillDownButton>
              ),
            }),
          },
        ],
      }}
    />
  );
}
