import { useDisclosure } from '@mantine/hooks';
import { SERVICE_EVENT_LABELS } from '@overworld/contract/webhooks/event-labels';
import { usePages } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { Dimmed, Note } from '../../ui/text.tsx';
import { FormDialog } from '../../ui/forms/dialogs.tsx';
import { Page } from '../../ui/page.tsx';
import { column, sortedColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { RowLink } from '../../ui/links.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { WebhookForm } from './webhook-form.tsx';
import type { Webhook } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

/** The time after which the list is loaded again, because sent messages change the states of webhooks. */
const READ_AGAIN_MS = 10_000;

export function Component() {
  const { game_id, can, path } = useGame();
  const webhooks = usePages(
    'GET /v1/games/{game_id}/webhooks',
    { params: { game_id } },
    { every: READ_AGAIN_MS },
  );
  const [creating, dialog] = useDisclosure();
  const pathOf = ({ id }: Webhook) => path('webhooks', id);

  const columns: Column<Webhook>[] = [
    sortedColumn('url', 'Address', (webhook) => (
      <>
        <RowLink to={pathOf(webhook)}>{webhook.url}</RowLink>
        {webhook.description && <Note className="name">{webhook.description}</Note>}
      </>
    )),
    column('state', 'State', { width: 110 }, (webhook) => <WebhookState webhook={webhook} />),
    column('events', 'Events', ({ events }) =>
      events.length === 0 ? (
        <Dimmed>alerts alone</Dimmed>
      ) : (
        events.map((event) => SERVICE_EVENT_LABELS[event]).join(', ')
      ),
    ),
    column('environments', 'Environments', ({ environments }) =>
      environments.map((environment) => ENVIRONMENT_NAMES[environment]).join(', '),
    ),
  ];
  const createButton = can('admin') && <AddButton onClick={dialog.open}>New webhook</AddButton>;

  return (
    <Page
      title="Webhooks"
      lead="Addresses of yours that get a signed message when something happens in the game, and messages of alerts."
      actions={createButton}
    >
      <TableCard
        label="Webhooks"
        columns={columns}
        {...tableOf(webhooks, 'webhooks')}
        rowKey={({ id }) => id}
        rowHref={pathOf}
        emptyTitle="No webhooks yet"
        emptyWords="Tell a server of yours which achievements players unlock, erase a player in your other systems too, or hear of a quota that runs out."
        emptyAction={createButton}
      />
      <FormDialog opened={creating} onClose={dialog.close} title="New webhook">
        <WebhookForm />
      </FormDialog>
    </Page>
  );
}
