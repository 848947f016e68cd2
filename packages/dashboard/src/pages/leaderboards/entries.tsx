import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatScore } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { Rank } from './rank.tsx';

const LIST = 'GET /v1/games/{game_id}/leaderboards/{board_name}/entries';
type Entry = Answer<typeof LIST>['entries'][number];

const PAGE_SIZE = 50;

/** Entries of one season by rank, page by page, or those found by a search. */
export function Entries({ board_name, season }: { board_name: string; season?: number }) {
  const { game_id, environment, can, path } = useGame();
  const { search, set } = useSearchState();
  const text = search.get('search') ?? '';
  const page = Math.max(1, Math.trunc(Number(search.get('page') ?? 1)) || 1);
  const offset = (page - 1) * PAGE_SIZE;
  const list = useRead(
    LIST,
    {
      params: { game_id, board_name },
      query: { environment, season, search: text || undefined, limit: PAGE_SIZE, offset },
    },
    { keep: true },
  );
  const remove = useChange(
    'DELETE /v1/games/{game_id}/leaderboards/{board_name}/entries/{player_id}',
  );
  const [entryToRemove, setEntryToRemove] = useState<Entry | null>(null);
  const total = list.data?.total_entries ?? 0;
  const hasNext =
    text === '' ? offset + PAGE_SIZE < total : list.data?.entries.length === PAGE_SIZE;

  const columns: Column<Entry>[] = [
    {
      id: 'rank',
      head: 'Rank',
      align: 'end',
      width: 72,
      cell: ({ rank }) => <Rank rank={rank} />,
    },
    {
      id: 'player',
      head: 'Player',
      cell: ({ player_id, player_name }) => (
        <div style={{ minWidth: 0 }}>
          <Anchor
            component={Link}
            to={path(`players/${encodeURIComponent(player_id)}`)}
            size="sm"
            fw={500}
            className="truncate"
          >
            {player_name || player_id}
          </Anchor>
          {player_name && player_name !== player_id && (
            <Text size="xs" c="dimmed" className="truncate">
              {player_id}
            </Text>
          )}
        </div>
      ),
    },
    {
      id: 'score',
      head: 'Score',
      align: 'end',
      cell: ({ score }) => <b style={{ fontWeight: 600 }}>{formatScore(score)}</b>,
    },
    {
      id: 'metadata',
      head: 'Metadata',
      cell: ({ metadata }) =>
        metadata && (
          <code className="truncate" title={JSON.stringify(metadata)}>
            {JSON.stringify(metadata)}
          </code>
        ),
    },
    { id: 'at', head: 'Reached', cell: ({ updated_at }) => <Ago at={updated_at} /> },
    {
      id: 'actions',
      head: <span className="visually-hidden">Actions</span>,
      align: 'end',
      cell: (entry) =>
        can('developer') && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="clay"
            aria-label={`Remove ${entry.player_name ?? entry.player_id}`}
            onClick={() => setEntryToRemove(entry)}
          >
            Remove
          </Button>
        ),
    },
  ];

  return (
    <>
      <Card flush>
        <DataTable
          label="Entries"
          columns={columns}
          rows={list.data?.entries}
          error={list.error}
          onRetry={() => list.refetch()}
          rowKey={({ player_id }) => player_id}
          density="compact"
          empty={
            <EmptyState title={text ? 'Nobody by that name' : 'No scores yet'}>
              {text
                ? 'No entry of this season has it in its player id or name.'
                : 'Scores of this environment show here as games submit them.'}
            </EmptyState>
          }
        />
      </Card>
      {(page > 1 || hasNext) && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {text === '' &&
              `${formatCount(offset + 1)} to ${formatCount(Math.min(offset + PAGE_SIZE, total))} of ${formatCount(total)}`}
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              disabled={page === 1}
              onClick={() => set({ page: page > 2 ? String(page - 1) : null })}
            >
              Previous
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={!hasNext}
              onClick={() => set({ page: String(page + 1) })}
            >
              Next
            </Button>
          </Group>
        </Group>
      )}
      <Confirm
        opened={entryToRemove !== null}
        onClose={() => setEntryToRemove(null)}
        title="Remove this entry?"
        action="Remove entry"
        onConfirm={async () => {
          await remove.mutateAsync({
            params: { game_id, board_name, player_id: entryToRemove!.player_id },
            query: { environment, season },
          });
          notify.done('Entry removed');
        }}
      >
        <b>{entryToRemove?.player_name ?? entryToRemove?.player_id}</b> loses rank{' '}
        {entryToRemove?.rank} with {entryToRemove && formatScore(entryToRemove.score)} points; those
        behind move up. The player may submit again.
      </Confirm>
    </>
  );
}
