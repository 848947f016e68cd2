import { Anchor, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Card } from '../../ui/page.tsx';

export function LatestEvents({
  query,
}: {
  query: UseQueryResult<Answer<'GET /v1/games/{game_id}/events'>>;
}) {
  const { path } = useGame();
  return (
    <Card
      flush
      title="What just happened"
      actions={
        <Anchor component={Link} to={path('events')} size="sm">
          All events
        </Anchor>
      }
    >
      <DataTable
        label="Newest events"
        density="compact"
        minWidth={320}
        rows={query.data?.events}
        error={query.error}
        onRetry={() => query.refetch()}
        rowKey={({ id }) => String(id)}
        columns={[
          {
            id: 'event',
            head: 'Event',
            width: '36%',
            cell: ({ event_name }) => <code className="truncate">{event_name}</code>,
          },
          {
            id: 'player',
            head: 'Player',
            cell: ({ player_id }) =>
              player_id && (
                <Anchor
                  component={Link}
                  to={path(`players/${encodeURIComponent(player_id)}`)}
                  size="sm"
                  className="truncate"
                >
                  {player_id}
                </Anchor>
              ),
          },
          {
            id: 'at',
            head: 'When',
            align: 'end',
            width: 128,
            cell: ({ received_at }) => (
              <Group justify="flex-end">
                <Ago at={received_at} />
              </Group>
            ),
          },
        ]}
        empty={
          <EmptyState title="No events yet">
            Events show here within a second of being sent.
          </EmptyState>
        }
      />
    </Card>
  );
}
