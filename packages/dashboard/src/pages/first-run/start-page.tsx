import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { wordsOf } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { Dimmed } from '../../ui/text.tsx';
import { Code, Json } from '../../ui/json/code.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ShownKey } from '../api-keys/shown-key.tsx';
import { firstEventSnippets } from './snippets.ts';
import type { Answer } from '../../api/operations.ts';
import { Ago } from '../../ui/time/moment.tsx';
import classes from './first-event.module.css';
import { showName } from '../../ui/shown-name.ts';

/** The interval at which the page looks for the first event. */
const LOOK_EVERY_MS = 1_500;
/** The maximum number of keys that the page reads. A game cannot have that many working keys. */
const KEYS_READ = 200;

/**
 * Leads a new game to its first event in three steps: a key,
 * code that uses the key, and the arrival of the event.
 */
export function Component() {
  const { game, game_id, environment, canChangeKeys, path } = useGame();
  const [key, setKey] = useState<string | null>(null);
  const create = useChange('POST /v1/games/{game_id}/api-keys');
  /** Whether the environment had an event when this page last looked; null before the first look. */
  const [seen, setSeen] = useState<'waiting' | 'arrived' | null>(null);
  const [isFirst, setFirst] = useState(false);
  const events = useRead(
    'GET /v1/games/{game_id}/events',
    { params: { game_id }, query: { environment, limit: 1 } },
    { every: seen === 'arrived' ? false : LOOK_EVERY_MS },
  );
  const firstEvent = events.data?.events[0] ?? null;
  const found = events.data && (firstEvent === null ? 'waiting' : 'arrived');
  if (found && found !== seen) {
    setFirst(seen === 'waiting');
    setSeen(found);
  }

  const keys = useRead('GET /v1/games/{game_id}/api-keys', {
    params: { game_id },
    query: { state: 'valid', limit: KEYS_READ },
  });
  const hasKey =
    key !== null || keys.data?.api_keys.some((each) => each.environment === environment) === true;
  const createKey = () =>
    create.mutate(
      { params: { game_id }, body: { name: 'First key', environment } },
      { onSuccess: (created) => setKey(created.key) },
    );

  return (
    <Page
      title={`Connect ${game.name}`}
      lead={`Three steps to the first event of the ${ENVIRONMENT_NAMES[environment].toLowerCase()} environment.`}
      actions={
        <ButtonLink variant="subtle" color="gray" to={path('overview')}>
          Skip
        </ButtonLink>
      }
    >
      <Stack gap="md">
        <Card title={<Step number={1} name="Create an API key" isDone={hasKey} />}>
          {key !== null ? (
            <ShownKey value={key} />
          ) : canChangeKeys(environment) ? (
            <Group>
              <Button loading={create.isPending} onClick={createKey}>
                Create {environment} key
              </Button>
              <Dimmed>
                {create.error
                  ? wordsOf(create.error)
                  : hasKey
                    ? 'This environment has a key already. A new one works beside it.'
                    : 'Games send it with every request.'}
              </Dimmed>
            </Group>
          ) : (
            <Text size="sm">Ask an admin of this game for a key.</Text>
          )}
        </Card>
        <Card
          title={
            <Step number={2} name="Send an event from your game" isDone={firstEvent !== null} />
          }
        >
          <Tabs defaultValue="curl" keepMounted={false}>
            <Tabs.List mb="sm">
              {firstEventSnippets('', '').map(({ name }) => (
                <Tabs.Tab key={name} value={name} className={classes.tab}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {firstEventSnippets(location.origin, key ?? 'YOUR_API_KEY').map(
              ({ name, install, code }) => (
                <Tabs.Panel key={name} value={name}>
                  <Stack gap="sm">
                    {install && <Code text={install} label={`${name} installation`} />}
                    <Code text={code} label={`${name} code`} />
                  </Stack>
                </Tabs.Panel>
              ),
            )}
          </Tabs>
        </Card>
        <Card title={<Step number={3} name="See it arrive" isDone={firstEvent !== null} />}>
          <FirstEvent event={firstEvent} isFirst={isFirst} />
        </Card>
      </Stack>
    </Page>
  );
}

/** The heading of a step, with a tick as soon as the step is done. */
function Step({ number, name, isDone }: { number: number; name: string; isDone: boolean }) {
  return (
    <span className={classes.step}>
      {number}. {name}
      {isDone && <IconCheck size={18} aria-label="Done" />}
    </span>
  );
}

type Event = Answer<'GET /v1/games/{game_id}/events'>['events'][number];

/** Waits for the first event; turns green when the event is there. */
function FirstEvent({ event, isFirst }: { event: Event | null; isFirst: boolean }) {
  const { path } = useGame();
  return (
    <div role="status" className={classes.status} data-arrived={event !== null}>
      {event === null ? (
        <Group gap="sm">
          <span className={classes.pulse} aria-hidden />
          <div>
            <Text fw={600}>Waiting for your first event</Text>
            <Dimmed>Run the code above. This page updates by itself.</Dimmed>
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
              <Dimmed>
                <span className="mono name">{showName(event.event_name)}</span>,{' '}
                <Ago at={event.received_at} />
              </Dimmed>
            </div>
            <ButtonLink to={path('overview')}>To the overview</ButtonLink>
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
