import { Anchor } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Card } from '../../ui/page.tsx';

export function LatestPlayers({
  query,
}: {
  query: UseQueryResult<Answer<'GET /v1/games/{game_id}/players'>>;
}) {
  const { path } = useGame();
  const playerPath = (player_id: string) => path(`players/${encodeURIComponent(player_id)}`);
  return (
    <Card
      flush
      title="Last seen players"
      actions={
        <Anchor component={Link} to={path('players')} size="sm">
          All players
        </Anchor>
      }
    >
      <DataTable
        label="Last seen players"
        density="compact"
        minWidth={320}
        rows={query.data?.players}
        error={query.error}
        onRetry={() => query.refetch()}
        rowKey={({ player_id }) => player_id}
        rowHref={({ player_id }) => playerPath(player_id)}
        columns={[
          {
            id: 'player',
            head: 'Player',
            cell: ({ player_id }) => (
              <Anchor component={Link} to={playerPath(player_id)} size="sm" className="truncate">
                {player_id}
              </Anchor>
            ),
          },
          {
            id: 'first_seen',
            head: 'First seen',
            width: 120,
            cell: ({ first_seen_at }) => <Ago at={first_seen_at} />,
          },
          {
            id: 'last_seen',
            head: 'Last seen',
            align: 'end',
            width: 128,
            cell: ({ last_seen_at }) => <Ago at={last_seen_at} />,
          },
        ]}
        empty={
          <EmptyState title="No players yet">
            A player exists from the first call that names it.
          </EmptyState>
        }
      />
    </Card>
  );
}
