import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { column } from '../../ui/tables/columns.tsx';
import { RowLink } from '../../ui/tables/row-link.tsx';
import { LatestCard } from './latest-card.tsx';

type Players = Answer<'GET /v1/games/{game_id}/players'>;
type Row = Players['players'][number];

/** The players who were seen last. */
export function LatestPlayers({ query }: { query: UseQueryResult<Players> }) {
  const { path } = useGame();
  return (
    <LatestCard
      title="Last seen players"
      label="Last seen players"
      link={{ to: path('players'), text: 'All players' }}
      query={query}
      rows={query.data?.players}
      rowKey={({ player_id }) => player_id}
      rowHref={({ player_id }) => path('players', player_id)}
      columns={[
        column<Row>('player', 'Player', ({ player_id, name }) => (
          <RowLink isAside to={path('players', player_id)}>
            {name ?? player_id}
          </RowLink>
        )),
        column<Row>('first_seen', 'First seen', { width: 120 }, ({ first_seen_at }) => (
          <Ago at={first_seen_at} />
        )),
        column<Row>('last_seen', 'Last seen', { align: 'end', width: 128 }, ({ last_seen_at }) => (
          <Ago at={last_seen_at} />
        )),
      ]}
      empty={
        <EmptyState title="No players yet">
          A player exists from the first call that names it.
        </EmptyState>
      }
    />
  );
}
