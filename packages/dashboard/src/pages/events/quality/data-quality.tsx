import { DatedReport } from '../../../reports/dated-report.tsx';
import { KeyFilter, useKeyFilter } from '../../../reports/key-filter.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { countOf, formatCount, formatShare, isFew, writeShare } from '../../../ui/format.ts';
import {
  dayColumn,
  memberColumn,
  nameColumn,
  numberColumn,
  sortedColumn,
} from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';
import { Few } from '../../../ui/share.tsx';
import { useGame } from '../../../shell/game.ts';
import { EventProblems } from './event-problems.tsx';
import { QualityNews } from './quality-news.tsx';
import { QUALITY_METRICS, totalsByDay } from './quality-metrics.ts';
import { PROBLEMS, sentCount, shareOf, totalsOf } from './quality-problems.ts';
import type { Quality, QualityDay, QualityTotals } from './quality-problems.ts';
import { MetricsCard } from '../../../reports/metrics-card.tsx';
import { sum } from '../../../reports/summary.ts';
import { InZone } from '../../../ui/time/moment.tsx';

/**
 * The report is loaded again at this short interval. A new build of the game may just have been released, and
 * its developers watch for the first bad events.
 */
const UPDATE_EVERY_MS = 5_000;

type SchemaProblem = Quality['schemas'][number];

interface KeyTotals extends QualityTotals {
  key_id: string;
  key_name: string | null;
}

/**
 * Shows the problems of the events: first those of the last day, then all by day, by schema and by API key.
 */
export function DataQuality() {
  const { can } = useGame();
  const key_id = useKeyFilter();
  const report = useReport('data-quality', { key_id }, { every: UPDATE_EVERY_MS });
  return (
    <DatedReport report={report} filters={<KeyFilter />}>
      {(data) => (
        <>
          <QualityNews quality={data} isToday={report.range.isUnfinished} />
          {can('developer') && <EventProblems key_id={key_id} every={UPDATE_EVERY_MS} />}
          <QualityOverTime quality={data} report={report} />
          <TableCard
            title="Events that break their schema"
            label="Schema violations"
            rows={data.schemas}
            rowKey={({ event_name, key_id: key }) => `${key} ${event_name}`}
            columns={[
              nameColumn(
                'event_name',
                'Event',
                ({ event_name }: SchemaProblem) => event_name,
                'code',
              ),
              KEY_COLUMN,
              memberColumn('warned_count', 'Stored with a warning'),
              memberColumn('refused_count', 'Refused'),
            ]}
            emptyTitle="No violations"
            emptyWords="No event has broken its schema. Events are checked where the validation mode is warn or reject."
          />
          <TableCard
            title="By API key"
            label="Data quality by API key"
            rows={totalsByKey(data)}
            rowKey={({ key_id: key }) => key}
            columns={[
              KEY_COLUMN,
              numberColumn('sent', 'Sent', sentCount),
              memberColumn('event_count', 'Stored'),
              memberColumn('warned_count', 'Broke schema'),
              memberColumn('refused_count', 'Refused'),
              memberColumn('repeated_count', 'Sent again'),
              shareColumn('late_count', 'Over a day late'),
              shareColumn('wrong_clock_count', 'Wrong clock'),
            ]}
            emptyTitle="No events in these days"
            emptyWords="Each key shows here what is wrong with the events it sends."
          />
        </>
      )}
    </DatedReport>
  );
}

const shareColumn = (
  member: 'late_count' | 'wrong_clock_count',
  head: string,
): Column<KeyTotals> => ({
  ...numberColumn(member, head, (totals: KeyTotals) => totals[member]),
  cell: (totals) =>
    totals[member] === 0 ? (
      '0'
    ) : isFew(sentCount(totals)) ? (
      <Few>{writeShare(totals[member], sentCount(totals))}</Few>
    ) : (
      `${formatCount(totals[member])} (${formatShare(shareOf({ member }, totals))})`
    ),
});

const totalsByKey = ({ days }: Quality): KeyTotals[] =>
  [...Map.groupBy(days, ({ key_id }) => key_id).entries()]
    .map(([key_id, rows]) => ({ key_id, key_name: rows.at(-1)!.key_name, ...totalsOf(rows) }))
    .sort((a, b) => b.event_count - a.event_count);

/** The column with the API key of each row. The key may have been deleted. */
const KEY_COLUMN: Column<{ key_name: string | null }> = sortedColumn(
  'key_name',
  'API key',
  ({ key_name }) => <span className="name">{key_name ?? 'a deleted key'}</span>,
);

function QualityOverTime({ quality, report }: { quality: Quality; report: ReportState }) {
  const { time_zone } = quality;
  const days = totalsByDay(quality);
  const sent = sum(days.map(sentCount));
  return (
    <MetricsCard
      id="problems"
      metrics={QUALITY_METRICS}
      days={days}
      report={report}
      caption={({ of, words }) => (
        <>
          <b>{countOf(sum(days.map(of)), 'event')}</b> {words}, of {formatCount(sent)} sent.{' '}
          <InZone zone={time_zone} of="Days of receipt" />
        </>
      )}
      table={{
        label: 'Data quality by day and API key',
        rows: quality.days.toReversed(),
        rowKey: ({ day, key_id }) => `${day} ${key_id}`,
        columns: [
          dayColumn<QualityDay>(),
          KEY_COLUMN,
          memberColumn('event_count', 'Stored'),
          ...PROBLEMS.map(({ member, name }) =>
            numberColumn(member, name, (row: QualityDay) => row[member]),
          ),
        ],
      }}
    />
  );
}
