import { Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { PlayerLink } from '../../shell/player-name.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { column } from '../../ui/tables/columns.tsx';
import { RowLink, TextLink } from '../../ui/links.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { showName } from '../../ui/shown-name.ts';

type Events = Answer<'GET /v1/games/{game_id}/events'>;
type Event = Events['events'][number];

/** The newest events in a small space, with a link to the whole list. */
export function LatestEvents({ query }: { query: UseQueryResult<Events> }) {
  const { path } = useGame();
  return (
    <TableCard
      title="What just happened"
      label="Newest events"
      actions={<TextLink to={path('events')}>All events</TextLink>}
      density="compact"
      minWidth={320}
      query={query}
      rows={query.data?.events}
      rowKey={({ id }) => String(id)}
      columns={[
        column<Event>('event', 'Event', { width: '36%' }, ({ event_name }) => (
          <code className="truncate">{showName(event_name)}</code>
        )),
        column<Event>(
          'player',
          'Player',
          ({ player_id }) => player_id && <PlayerLink player_id={player_id} />,
        ),
        column<Event>('at', 'When', { align: 'end', width: 128 }, ({ received_at }) => (
          <Group justify="flex-end">
            <Ago at={received_at} />
          </Group>
        )),
      ]}
      emptyTitle="No events yet"
      emptyWords="Events show here within a second of being sent."
    />
  );
}

type Players = Answer<'GET /v1/games/{game_id}/players'>;
type Player = Players['players'][number];

/** The players who were seen last. */
export function LatestPlayers({ query }: { query: UseQueryResult<Players> }) {
  const { path } = useGame();
  return (
    <TableCard
      title="Last seen players"
      label="Last seen players"
      actions={<TextLink to={path('players')}>All players</TextLink>}
      density="compact"
      minWidth={320}
      query={query}
      rows={query.data?.players}
      rowKey={({ player_id }) => player_id}
      rowHref={({ player_id }) => path('players', player_id)}
      columns={[
        column<Player>('player', 'Player', ({ player_id, name }) => (
          <RowLink isAside to={path('players', player_id)}>
            {showName(name ?? player_id)}
          </RowLink>
        )),
        column<Player>('first_seen', 'First seen', { width: 120 }, ({ first_seen_at }) => (
          <Ago at={first_seen_at} />
        )),
        column<Player>(
          'last_seen',
          'Last seen',
          { align: 'end', width: 128 },
          ({ last_seen_at }) => <Ago at={last_seen_at} />,
        ),
      ]}
      emptyTitle="No players yet"
      emptyWords="A player exists from the first call that names it."
    />
  );
}
