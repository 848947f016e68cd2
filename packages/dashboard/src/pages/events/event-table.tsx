import { Drawer, Stack } from '@mantine/core';
import type { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { PlayerLink, PlayerName } from '../../shell/player-name.tsx';
import { Ago, Moment } from '../../ui/time/moment.tsx';
import { Json } from '../../ui/json/code.tsx';
import { column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { tableOf } from '../../ui/tables/table-card.tsx';
import classes from './event-table.module.css';
import { useDialog } from '../../ui/forms/dialogs.tsx';
import { PartTitle } from '../../ui/text.tsx';
import { showName } from '../../ui/shown-name.ts';

const LIST = 'GET /v1/games/{game_id}/events';
export type StoredEvent = Answer<typeof LIST>['events'][number];

/**
 * Shows a table of events, each with its properties on one
 * line. A click on an event's name opens the whole event.
 */
export function EventTable({ events }: { events: ReturnType<typeof usePages<typeof LIST>> }) {
  const showing = useDialog<StoredEvent>();
  const columns: Column<StoredEvent>[] = [
    column('event', 'Event', { width: '24%' }, (event) => (
      <button type="button" className={classes.name} onClick={() => showing.open(event)}>
        <code className="truncate">{showName(event.event_name)}</code>
      </button>
    )),
    column(
      'player',
      'Player',
      { width: '22%' },
      ({ player_id }) => player_id && <PlayerLink player_id={player_id} />,
    ),
    column('properties', 'Properties', ({ properties }) => (
      <code className={`truncate ${classes.line}`}>{oneLine(properties)}</code>
    )),
    column('at', 'Received', { align: 'end', width: 150 }, ({ received_at }) => (
      <Ago at={received_at} />
    )),
  ];

  return (
    <>
      <DataTable
        label="Events"
        minWidth={640}
        columns={columns}
        {...tableOf(events, 'events')}
        rowKey={({ id }) => String(id)}
        emptyTitle="No events"
        emptyWords="No matching event was received in this environment."
      />
      <Drawer
        {...showing.frame}
        position="right"
        size={520}
        title={<code className="name">{showName(showing.item?.event_name)}</code>}
      >
        {showing.item && <EventDetail event={showing.item} />}
      </Drawer>
    </>
  );
}

function EventDetail({ event }: { event: StoredEvent }) {
  const times = [
    ['Received', event.received_at],
    ['Counted at', event.occurred_at],
    ['By the client’s clock', event.client_timestamp],
  ] as const;
  return (
    <Stack>
      <dl className={classes.facts}>
        <dt>Player</dt>
        <dd className="name">
          {event.player_id === null ? '–' : <PlayerName player_id={event.player_id} />}
        </dd>
        {event.player_id !== null && (
          <>
            <dt>Player id</dt>
            <dd className="name">{showName(event.player_id)}</dd>
          </>
        )}
        <dt>Session</dt>
        <dd className="mono name">{showName(event.session_id)}</dd>
        {times.map(([name, at]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{at ? <Moment at={at} /> : '–'}</dd>,
        ])}
      </dl>
      <PartTitle>Properties</PartTitle>
      <Json value={event.properties} label="properties" maxHeight={600} />
    </Stack>
  );
}

const oneLine = (properties: object) =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('  ');
