import { Alert, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Environment } from '@overworld/contract/common';
import type { ApiKeyKind } from '@overworld/contract/games/api-keys';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, ENVIRONMENTS, useGame } from '../../shell/game.ts';
import { Note, Dimmed } from '../../ui/text.tsx';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { SwitchField } from '../../ui/forms/switch-field.tsx';
import { NewKey } from './shown-key.tsx';
import type { Answer } from '../../api/operations.ts';
import { Moment } from '../../ui/time/moment.tsx';
import type { ApiKey } from './key-state.tsx';
import { showName } from '../../ui/shown-name.ts';

export function CreateKeyForm() {
  const { game_id, environment, can, canChangeKeys } = useGame();
  const create = useChange('POST /v1/games/{game_id}/api-keys');
  const [key, setKey] = useState<string | null>(null);
  const form = useForm<{ name: string; environment: Environment; kind: ApiKeyKind }>({
    initialValues: {
      name: '',
      environment: canChangeKeys(environment) ? environment : 'development',
      kind: 'client',
    },
  });

  if (key !== null) return <NewKey value={key} />;
  return (
    <DialogForm
      form={form}
      onSubmit={(body) => create.mutateAsync({ params: { game_id }, body })}
      onDone={(created) => setKey(created.key)}
      action="Create key"
      isStep
    >
      <TextInput
        label="Name"
        description="The thing that uses it, such as “Steam build”"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <div>
        <SwitchField
          label="For"
          fullWidth
          data={[
            { value: 'client', label: 'The game' },
            { value: 'server', label: 'Your own servers' },
          ]}
          {...form.getInputProps('kind')}
        />
        {form.values.kind === 'server' && (
          <Alert color="ochre" py="xs" mt="xs">
            A server key may act for every player. Keep it on your servers: never put it into a
            build or a page.
          </Alert>
        )}
      </div>
      <div>
        <SwitchField
          label="Environment"
          fullWidth
          data={ENVIRONMENTS.map((value) => ({
            value,
            label: ENVIRONMENT_NAMES[value],
            disabled: !canChangeKeys(value),
          }))}
          {...form.getInputProps('environment')}
        />
        {!can('admin') && <Note mt={4}>A production key needs the role admin.</Note>}
      </div>
    </DialogForm>
  );
}

const ROTATE = 'POST /v1/games/{game_id}/api-keys/{key_id}/rotate';
type Rotated = Answer<typeof ROTATE>;

/** The numbers of hours for which the old key may still work. */
const TIMES = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'An hour' },
  { value: '24', label: 'A day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
];

export function RotateKeyForm({ apiKey }: { apiKey: ApiKey }) {
  const { game_id } = useGame();
  const rotate = useChange(ROTATE);
  const [made, setMade] = useState<Rotated | null>(null);
  const form = useForm({ initialValues: { old_key_valid_hours: '24' } });
  const hours = Number(form.values.old_key_valid_hours);

  if (made !== null) return <RotatedKey made={made} />;
  return (
    <DialogForm
      form={form}
      onSubmit={() =>
        rotate.mutateAsync({
          params: { game_id, key_id: apiKey.id },
          body: { old_key_valid_hours: hours },
        })
      }
      onDone={setMade}
      action="Rotate key"
      isStep
    >
      <Text size="sm" className="name">
        A new key takes the place of <b>{showName(apiKey.name)}</b> (<code>{apiKey.prefix}…</code>),
        of the same name and environment.
      </Text>
      <Select
        label="The old key works on for"
        data={TIMES}
        {...form.getInputProps('old_key_valid_hours')}
      />
      {hours === 0 ? (
        <Alert color="clay" py="xs">
          Games that send the old key are refused within a second, for ever.
        </Alert>
      ) : (
        <Dimmed>
          Until then both keys work. Bring every game and server to the new one; you can end the old
          one earlier.
        </Dimmed>
      )}
    </DialogForm>
  );
}

function RotatedKey({ made }: { made: Rotated }) {
  const { prefix, expires_at } = made.old_key;
  const isOver = Date.parse(expires_at!) <= Date.parse(made.created_at);
  return (
    <NewKey value={made.key}>
      <Text size="sm">
        The old key <code>{prefix}…</code>{' '}
        {isOver ? (
          'no longer works.'
        ) : (
          <>
            works until <Moment at={expires_at!} to="minute" />.
          </>
        )}
      </Text>
      <Dimmed>
        A game with one of the SDKs keeps its players when its key changes. In TypeScript, waiting
        events stay on their devices if the game has a <code>storeName</code>.
      </Dimmed>
    </NewKey>
  );
}
