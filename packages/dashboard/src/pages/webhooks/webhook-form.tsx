import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { SERVICE_EVENT_LABELS } from '@overworld/contract/webhooks/event-labels';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { Answer, Input } from '../../api/operations.ts';
import { ENVIRONMENT_NAMES, ENVIRONMENTS, useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { ShownSecret } from './shown-secret.tsx';

export type Webhook = Answer<'GET /v1/games/{game_id}/webhooks'>['webhooks'][number];
type Body = Input<'POST /v1/games/{game_id}/webhooks'>['body'];

/** The form that makes a webhook or changes one. */
export function WebhookForm({ webhook }: { webhook?: Webhook }) {
  const { game_id, environment } = useGame();
  const create = useChange('POST /v1/games/{game_id}/webhooks');
  const update = useChange('PATCH /v1/games/{game_id}/webhooks/{webhook_id}');
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      environments: (webhook?.environments ?? [environment]) as string[],
      events: (webhook?.events ?? []) as string[],
    },
    validate: {
      environments: (chosen) => (chosen.length === 0 ? 'Choose at least one environment' : null),
    },
  });
  const submit = async (values: typeof form.values): Promise<string | null> => {
    const body = values as Body;
    if (webhook === undefined) {
      return (await create.mutateAsync({ params: { game_id }, body })).secret;
    }
    // If the member has just become an admin, the form may still hold the URL
    // without its secret parts. The URL is therefore sent only if it was edited.
    const { url, ...others } = body;
    const changes = url === webhook.url ? others : body;
    await update.mutateAsync({ params: { game_id, webhook_id: webhook.id }, body: changes });
    return null;
  };

  if (secret !== null) return <ShownSecret value={secret} />;
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      onDone={setSecret}
      isStep={webhook === undefined}
      action={webhook ? 'Save webhook' : 'Create webhook'}
    >
      <TextInput
        label="Address"
        description="Gets each message by POST"
        placeholder="https://hooks.example.com/overworld"
        type="url"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Note"
        description="For the members of the game"
        maxLength={255}
        {...form.getInputProps('description')}
      />
      <Checkbox.Group
        label="Events"
        description="Alerts that name this webhook reach it in any case"
        {...form.getInputProps('events')}
      >
        <Stack gap={8} mt={6}>
          {Object.entries(SERVICE_EVENT_LABELS).map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} description={value} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox.Group label="Of these environments" {...form.getInputProps('environments')}>
        <Stack gap={8} mt={6}>
          {ENVIRONMENTS.map((value) => (
            <Checkbox key={value} value={value} label={ENVIRONMENT_NAMES[value]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </DialogForm>
  );
}
