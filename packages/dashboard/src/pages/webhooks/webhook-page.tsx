import { Alert, Button, Menu, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Failure } from '../../api/failure.ts';
import { useChange, usePages } from '../../api/hooks.ts';
import { ToldAlerts } from '../alerts/told-alerts.tsx';
import { useGame } from '../../shell/game.ts';
import { ActionsMenu, DangerItem } from '../../ui/actions-menu.tsx';
import { formatCount } from '../../ui/format.ts';
import { Confirm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { ItemPage } from '../../ui/item-page.tsx';
import { notify } from '../../ui/notify.tsx';
import { Loaded } from '../../ui/page.tsx';
import { listOf } from '../../ui/tables/table-card.tsx';
import { Deliveries } from './deliveries.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';
import type { Webhook } from './webhook-form.tsx';
import { describeTrouble } from './webhook-state.tsx';
import { FailureText } from '../../ui/text.tsx';

const READ_AGAIN_MS = 10_000;
type Dialog = 'edit' | 'rotate' | 'disable' | 'delete' | null;

/** A webhook, and the messages that were sent to it. */
export function Component() {
  const { webhook_id = '' } = useParams();
  const { game_id, can } = useGame();
  const webhooks = usePages(
    'GET /v1/games/{game_id}/webhooks',
    { params: { game_id }, query: { limit: 200 } },
    { every: READ_AGAIN_MS },
  );
  const webhook = listOf(webhooks, 'webhooks')?.find(({ id }) => id === webhook_id);
  const isMissing = webhooks.data !== undefined && webhook === undefined;
  const item = {
    data: webhook,
    error: isMissing ? new Failure(404, 'Webhook not found') : webhooks.error,
    refetch: webhooks.refetch,
  };
  const test = useChange('POST /v1/games/{game_id}/webhooks/{webhook_id}/test');
  const [dialog, setDialog] = useState<Dialog>(null);

  return (
    <ItemPage
      title={webhook?.url ?? 'Webhook'}
      lead={webhook?.description}
      item={item}
      list={{ path: 'webhooks', name: 'Webhooks' }}
      missingTitle="No such webhook"
      missingWords="It was deleted, or never existed."
      actions={
        webhook && (
          <>
            {can('developer') && (
              <Button
                loading={test.isPending}
                disabled={webhook.disabled_at !== null}
                onClick={() =>
                  notify.outcome(
                    test.mutateAsync({ params: { game_id, webhook_id } }),
                    'The test message is on its way',
                  )
                }
              >
                Send a test
              </Button>
            )}
            {can('admin') && <WebhookActions webhook={webhook} onOpen={setDialog} />}
          </>
        )
      }
    >
      <Loaded query={item}>
        {(data) => (
          <Stack>
            <Trouble webhook={data} />
            <Deliveries webhook={data} />
            <Dialogs webhook={data} dialog={dialog} onClose={() => setDialog(null)} />
          </Stack>
        )}
      </Loaded>
    </ItemPage>
  );
}

function WebhookActions(props: { webhook: Webhook; onOpen: (dialog: Dialog) => void }) {
  const { webhook, onOpen } = props;
  const { game_id } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/webhooks/{webhook_id}');
  const enable = () =>
    notify.outcome(
      update.mutateAsync({
        params: { game_id, webhook_id: webhook.id },
        body: { enabled: true },
      }),
      'The webhook gets messages from now on',
    );
  return (
    <ActionsMenu>
      <Menu.Item onClick={() => onOpen('edit')}>Edit</Menu.Item>
      <Menu.Item onClick={() => onOpen('rotate')}>Replace the secret</Menu.Item>
      {webhook.disabled_at === null ? (
        <Menu.Item onClick={() => onOpen('disable')}>Disable</Menu.Item>
      ) : (
        <Menu.Item onClick={enable}>Enable</Menu.Item>
      )}
      <DangerItem onClick={() => onOpen('delete')}>Delete</DangerItem>
    </ActionsMenu>
  );
}

/** Says why a webhook gets no messages, or that it lost some. */
function Trouble({ webhook }: { webhook: Webhook }) {
  const trouble = describeTrouble(webhook);
  return (
    <>
      {trouble && <Alert color={webhook.disabled_at ? 'gray' : 'clay'}>{trouble}</Alert>}
      {webhook.dropped_count > 0 && (
        <Alert color="ochre">
          {formatCount(webhook.dropped_count)} messages were dropped before they were sent, because
          the game had too many on record.
        </Alert>
      )}
    </>
  );
}

function Dialogs(props: { webhook: Webhook; dialog: Dialog; onClose: () => void }) {
  const { webhook, dialog, onClose } = props;
  const { game_id, path } = useGame();
  const navigate = useNavigate();
  const update = useChange('PATCH /v1/games/{game_id}/webhooks/{webhook_id}');
  const remove = useChange('DELETE /v1/games/{game_id}/webhooks/{webhook_id}');
  const params = { game_id, webhook_id: webhook.id };
  return (
    <>
      <FormDialog opened={dialog === 'edit'} onClose={onClose} title="Edit webhook">
        <WebhookForm webhook={webhook} />
      </FormDialog>
      <FormDialog opened={dialog === 'rotate'} onClose={onClose} title="Replace the secret">
        <RotateSecret webhook={webhook} />
      </FormDialog>
      <Confirm
        opened={dialog === 'disable'}
        onClose={onClose}
        title="Disable this webhook?"
        action="Disable webhook"
        onConfirm={() => update.mutateAsync({ params, body: { enabled: false } })}
      >
        It gets no messages until somebody enables it. Messages that wait are not sent; they stay on
        record, and can be sent again one by one.
        <ToldAlerts id={webhook.id} />
      </Confirm>
      <Confirm
        opened={dialog === 'delete'}
        onClose={onClose}
        title="Delete this webhook?"
        action="Delete webhook"
        onConfirm={async () => {
          await remove.mutateAsync({ params });
          void navigate(path('webhooks'));
        }}
      >
        <b>{webhook.url}</b> gets no messages any more, and the record of its messages is deleted.
        <ToldAlerts id={webhook.id} />
      </Confirm>
    </>
  );
}

function RotateSecret({ webhook }: { webhook: Webhook }) {
  const { game_id } = useGame();
  const rotate = useChange('POST /v1/games/{game_id}/webhooks/{webhook_id}/rotate-secret');
  if (rotate.data) {
    return (
      <ShownSecret value={rotate.data.secret}>
        <Text size="sm">For 24 hours each message is signed with the old secret too.</Text>
      </ShownSecret>
    );
  }
  return (
    <Stack>
      <Text size="sm">
        A new secret takes the place of the present one. For 24 hours each message has a signature
        of both, so that your receiver misses none.
      </Text>
      {rotate.error && <FailureText>{rotate.error.message}</FailureText>}
      <Button
        loading={rotate.isPending}
        onClick={() => rotate.mutate({ params: { game_id, webhook_id: webhook.id } })}
      >
        Replace the secret
      </Button>
    </Stack>
  );
}
