import { Stack } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';

type Quality = Answer<'GET /v1/games/{game_id}/analytics/data-quality'>;
type SchemaProblem = Quality['schemas'][number];

interface KeyTotals {
  key_id: string;
  key_name: string | null;
  event_count: number;
  late_count: number;
  wrong_clock_count: number;
  refused_count: number;
  repeated_count: number;
}

/** What is wrong with the events of the last 30 days: by schema, and by the key they came with. */
export function DataQuality() {
  const { game_id, environment } = useGame();
  const quality = useRead('GET /v1/games/{game_id}/analytics/data-quality', {
    params: { game_id },
    query: { environment },
  });
  const problem = { error: quality.error, onRetry: () => quality.refetch() };
  return (
    <Stack gap="md">
      <Card flush title="Events that break their schema, last 30 days">
        <DataTable
          label="Schema violations"
          expectedRows={2}
          {...problem}
          rows={quality.data?.schemas}
          rowKey={({ event_name, key_id }) => `${key_id} ${event_name}`}
          columns={SCHEMA_COLUMNS}
          empty={
            <EmptyState title="No violations">
              No event has broken its schema. Events are checked where the validation mode is warn
              or reject.
            </EmptyState>
          }
        />
      </Card>
      <Card flush title="By API key, last 30 days">
        <DataTable
          label="Data quality by API key"
          expectedRows={2}
          {...problem}
          rows={quality.data && totalsByKey(quality.data)}
          rowKey={({ key_id }) => key_id}
          columns={KEY_COLUMNS}
          empty={
            <EmptyState title="No events yet">
              Each key shows here what is wrong with the events it sends.
            </EmptyState>
          }
        />
      </Card>
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
  member: 'event_count' | 'refused_count' | 'repeated_count',
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
      refused_count: (sum?.refused_count ?? 0) + day.refused_count,
      repeated_count: (sum?.repeated_count ?? 0) + day.repeated_count,
    });
  }
  return [...totals.values()].sort((a, b) => b.event_count - a.event_count);
}
