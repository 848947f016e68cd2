import { Group, Stack } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import { CsvButton } from '../../reports/csv-button.tsx';
import { KeyFilter, useKeyFilter } from '../../reports/key-filter.tsx';
import { RangePicker } from '../../reports/days/range-picker.tsx';
import { useReportRange } from '../../reports/days/use-report-range.ts';
import { useGame } from '../../shell/game.ts';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { Card, Lines, Loaded } from '../../ui/page.tsx';
import { QualityNews } from './quality-news.tsx';
import { QualityOverTime } from './quality-over-time.tsx';
import type { Quality } from './quality-problems.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/data-quality';
/** A build may just have been let loose. */
const UPDATE_EVERY_MS = 5_000;
type SchemaProblem = Quality['schemas'][number];

interface KeyTotals {
  key_id: string;
  key_name: string | null;
  event_count: number;
  late_count: number;
  wrong_clock_count: number;
  warned_count: number;
  refused_count: number;
  repeated_count: number;
}

/** What is wrong with the events: news of the last day, over time, by schema and by API key. */
export function DataQuality() {
  const { game_id, environment } = useGame();
  const { key_id } = useKeyFilter();
  const range = useReportRange();
  const { from, to } = range;
  const input = { params: { game_id }, query: { environment, from, to, key_id } };
  const quality = useRead(REPORT, input, { every: UPDATE_EVERY_MS, keep: true });
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-start">
        <RangePicker range={range} />
        <KeyFilter />
      </Group>
      <Loaded
        query={quality}
        skeleton={
          <Card>
            <Lines count={10} />
          </Card>
        }
      >
        {(data) => (
          <>
            <QualityNews quality={data} isToday={range.isUnfinished} />
            <QualityOverTime
              quality={data}
              isUnfinished={range.isUnfinished}
              isWaiting={quality.isPlaceholderData}
              csv={
                <CsvButton
                  route={REPORT}
                  input={input}
                  name={`data-quality-${environment}-${from}-${to}`}
                />
              }
            />
            <Card flush title="Events that break their schema">
              <DataTable
                label="Schema violations"
                rows={data.schemas}
                rowKey={({ event_name, key_id: key }) => `${key} ${event_name}`}
                columns={SCHEMA_COLUMNS}
                empty={
                  <EmptyState title="No violations">
                    No event has broken its schema. Events are checked where the validation mode is
                    warn or reject.
                  </EmptyState>
                }
              />
            </Card>
            <Card flush title="By API key">
              <DataTable
                label="Data quality by API key"
                rows={totalsByKey(data)}
                rowKey={({ key_id: key }) => key}
                columns={KEY_COLUMNS}
                empty={
                  <EmptyState title="No events in these days">
                    Each key shows here what is wrong with the events it sends.
                  </EmptyState>
                }
              />
            </Card>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

const keyName = ({ key_name }: { key_name: string | null }) => (
  <span className="name">{key_name ?? 'a deleted key'}</span>
);

const SCHEMA_COLUMNS: Column<SchemaProblem>[] = [
  {
    id: 'event',
    head: 'Event',
    value: ({ event_name }) => event_name,
    cell: ({ event_name }) => <code className="truncate">{event_name}</code>,
  },
  { id: 'key', head: 'API key', value: ({ key_name }) => key_name, cell: keyName },
  {
    id: 'warned',
    head: 'Stored with a warning',
    align: 'end',
    value: ({ warned_count }) => warned_count,
    cell: ({ warned_count }) => formatCount(warned_count),
  },
  {
    id: 'refused',
    head: 'Refused',
    align: 'end',
    value: ({ refused_count }) => refused_count,
    cell: ({ refused_count }) => formatCount(refused_count),
  },
];

const shareColumn = (
  member: 'late_count' | 'wrong_clock_count',
  head: string,
): Column<KeyTotals> => ({
  id: member,
  head,
  align: 'end',
  value: (totals) => totals[member],
  cell: (totals) =>
    totals[member] === 0
      ? '0'
      : `${formatCount(totals[member])} (${formatShare(totals[member] / totals.event_count)})`,
});

const countColumn = (
  member: 'event_count' | 'warned_count' | 'refused_count' | 'repeated_count',
  head: string,
): Column<KeyTotals> => ({
  id: member,
  head,
  align: 'end',
  value: (totals) => totals[member],
  cell: (totals) => formatCount(totals[member]),
});

const KEY_COLUMNS: Column<KeyTotals>[] = [
  { id: 'key', head: 'API key', value: ({ key_name }) => key_name, cell: keyName },
  countColumn('event_count', 'Received'),
  countColumn('warned_count', 'Broke schema'),
  countColumn('refused_count', 'Refused'),
  countColumn('repeated_count', 'Sent again'),
  shareColumn('late_count', 'Over a day late'),
  shareColumn('wrong_clock_count', 'Wrong clock'),
];

function totalsByKey({ days }: Quality): KeyTotals[] {
  const totals = new Map<string, KeyTotals>();
  for (const day of days) {
    const { key_id, key_name } = day;
    const sum = totals.get(key_id);
    totals.set(key_id, {
      key_id,
      key_name,
      event_count: (sum?.event_count ?? 0) + day.event_count,
      late_count: (sum?.late_count ?? 0) + day.late_count,
      wrong_clock_count: (sum?.wrong_clock_count ?? 0) + day.wrong_clock_count,
      warned_count: (sum?.warned_count ?? 0) + day.warned_count,
      refused_count: (sum?.refused_count ?? 0) + day.refused_count,
      repeated_count: (sum?.repeated_count ?? 0) + day.repeated_count,
    });
  }
  return [...totals.values()].sort((a, b) => b.event_count - a.event_count);
}
