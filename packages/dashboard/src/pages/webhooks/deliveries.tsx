import { Badge, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { EnvironmentTag } from '../../shell/environment-tag.tsx';
import { useGame } from '../../shell/game.ts';
import { Ago, Moment } from '../../ui/time/moment.tsx';
import { Note } from '../../ui/text.tsx';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { formatMoment } from '../../ui/time/format-time.ts';
import { useZone } from '../../ui/time/zone.ts';
import { Code, Json } from '../../ui/json/code.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { useSearchChoice } from '../../ui/search-state.ts';
import { actionsColumn, agoColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import type { Webhook } from './webhook-form.tsx';

const LIST = 'GET /v1/games/{game_id}/webhooks/{webhook_id}/deliveries';
type Delivery = Answer<typeof LIST>['deliveries'][number];

const STATES = ['all', 'waiting', 'delivered', 'failed'] as const;
/** The interval at which the messages are loaded again. A new message is sent within a second or two. */
const READ_AGAIN_MS = 3_000;

/** Lists the messages of a webhook with their answers. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { game_id, can } = useGame();
  const zone = useZone();
  const [state, setState] = useSearchChoice('state', STATES);
  const deliveries = usePages(
    LIST,
    {
      params: { game_id, webhook_id: webhook.id },
      query: state === 'all' ? {} : { state },
    },
    { every: READ_AGAIN_MS },
  );
  const [shown_id, setShown] = useState<string | null>(null);
  const retry = useChange(
    'POST /v1/games/{game_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
  );
  const sendAgain = ({ id }: Delivery) =>
    notify.outcome(
      retry.mutateAsync({ params: { game_id, webhook_id: webhook.id, delivery_id: id } }),
      'The message is on its way again',
    );
  const shown = listOf(deliveries, 'deliveries')?.find(({ id }) => id === shown_id);

  const columns: Column<Delivery>[] = [
    column('event', 'Event', ({ event_type, environment }) => (
      <>
        <code>{event_type}</code>
        {environment && (
          <Text size="xs" component="div">
            <EnvironmentTag environment={environment} />
          </Text>
        )}
      </>
    )),
    agoColumn('created_at', 'Happened'),
    column('state', 'State', (delivery) => <DeliveryState delivery={delivery} />),
    column('answer', 'Last answer', ({ error, answer_status, duration_ms }) => (
      <Text size="sm" className="name" c={error ? 'var(--mantine-color-error)' : undefined}>
        {error ?? answer_status ?? '–'}
        {duration_ms !== null && (
          <Text span size="xs" c="dimmed">
            {' '}
            in {formatDuration(duration_ms / 1_000)}
          </Text>
        )}
      </Text>
    )),
    actionsColumn((delivery) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowButton
          aria-label={`Show ${delivery.event_type} of ${formatMoment(delivery.created_at, zone)}`}
          onClick={() => setShown(delivery.id)}
        >
          Show
        </RowButton>
        {can('developer') && delivery.attempts > 0 && (
          <RowButton
            aria-label={`Try ${delivery.event_type} of ${formatMoment(delivery.created_at, zone)} again`}
            disabled={webhook.disabled_at !== null}
            onClick={() => sendAgain(delivery)}
          >
            Try again
          </RowButton>
        )}
      </Group>
    )),
  ];

  return (
    <>
      <TableCard
        title="Messages"
        actions={
          <SegmentedControl
            size="xs"
            aria-label="State of messages"
            data={STATES.map((value) => ({
              value,
              label: value.charAt(0).toUpperCase() + value.slice(1),
            }))}
            value={state}
            onChange={setState}
          />
        }
        label="Messages"
        columns={columns}
        {...tableOf(deliveries, 'deliveries')}
        rowKey={({ id }) => id}
        emptyTitle={state === 'all' ? 'No messages yet' : 'None of these'}
        emptyWords="Messages stay here for 7 days. Send a test to see one."
      />
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(null)}
        title={shown?.event_type}
        size="lg"
      >
        {shown && <Message delivery={shown} />}
      </Modal>
    </>
  );
}

const STATE_COLORS = { waiting: 'ochre', delivered: 'moss', failed: 'clay' };

function DeliveryState({ delivery }: { delivery: Delivery }) {
  const { state, attempts, next_attempt_at } = delivery;
  return (
    <>
      <Badge color={STATE_COLORS[state]}>{state}</Badge>
      {attempts > 1 && <Note>{formatCount(attempts)} attempts</Note>}
      {attempts > 0 && next_attempt_at && (
        <Note>
          again <Ago at={next_attempt_at} />
        </Note>
      )}
    </>
  );
}

function Message({ delivery }: { delivery: Delivery }) {
  const { id, body, answer_text, answer_status, error, last_attempt_at } = delivery;
  return (
    <Stack>
      <Text size="sm" className="name">
        <b>webhook-id</b> <code>{id}</code>
      </Text>
      <Json value={JSON.parse(body) as unknown} label="Body" />
      {last_attempt_at && (
        <Text size="sm" className="name">
          {error ?? `The answer was ${answer_status}`}, <Moment at={last_attempt_at} />.
        </Text>
      )}
      {answer_text && <Code text={answer_text} label="Answer" maxHeight={240} />}
    </Stack>
  );
}
