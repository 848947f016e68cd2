import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Json } from '../../ui/json/code.tsx';
import { IconCheck } from '../../ui/icons.ts';
import classes from './first-event.module.css';

type Event = Answer<'GET /v1/games/{game_id}/events'>['events'][number];

/** Waits for the first event; turns green when it is there. */
export function FirstEvent({ event, isFirst }: { event: Event | null; isFirst: boolean }) {
  const { path } = useGame();
  return (
    <div role="status" className={classes.status} data-arrived={event !== null}>
      {event === null ? (
        <Group gap="sm">
          <span className={classes.pulse} aria-hidden />
          <div>
            <Text fw={600}>Waiting for your first event</Text>
            <Text size="sm" c="dimmed">
              Run the code above. This page updates by itself.
            </Text>
          </div>
        </Group>
      ) : (
        <Stack gap="sm">
          <Group gap="sm">
            <span className={classes.check}>
              <IconCheck size={18} aria-hidden />
            </span>
            <div style={{ flex: '1 1 180px' }}>
              <Text fw={600}>{isFirst ? 'Your first event is here' : 'Events arrive here'}</Text>
              <Text size="sm" c="dimmed">
                <span className="mono name">{event.event_name}</span>,{' '}
                <Ago at={event.received_at} />
              </Text>
            </div>
            <Button component={Link} to={path('overview')}>
              To the overview
            </Button>
          </Group>
          <Json
            label="event"
            value={{
              event_name: event.event_name,
              player_id: event.player_id,
              session_id: event.session_id,
              properties: event.properties,
            }}
          />
        </Stack>
      )}
    </div>
  );
}
