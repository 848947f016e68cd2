import { Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PlayerLink } from '../../shell/player-name.tsx';
import { column } from '../../ui/tables/columns.tsx';
import { LatestCard } from './latest-card.tsx';

type Events = Answer<'GET /v1/games/{game_id}/events'>;
type Row = Events['events'][number];

export function LatestEvents({ query }: { query: UseQueryResult<Events> }) {
  const { path } = useGame();
  return (
    <LatestCard
      title="What just happened"
      label="Newest events"
      link={{ to: path('events'), text: 'All events' }}
      query={query}
      rows={query.data?.events}
      rowKey={({ id }) => String(id)}
      columns={[
        column<Row>('event', 'Event', { width: '36%' }, ({ event_name }) => (
          <code className="truncate">{event_name}</code>
        )),
        column<Row>(
          'player',
          'Player',
          ({ player_id }) => player_id && <PlayerLink player_id={player_id} />,
        ),
        column<Row>('at', 'When', { align: 'end', width: 128 }, ({ received_at }) => (
          <Group justify="flex-end">
            <Ago at={received_at} />
          </Group>
        )),
      ]}
      empty={
        <EmptyState title="No events yet">
          Events show here within a second of being sent.
        </EmptyState>
      }
    />
  );
}
