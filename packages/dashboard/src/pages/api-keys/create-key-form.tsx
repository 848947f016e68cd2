import { Alert, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Environment } from '@overworld/contract/common';
import type { ApiKeyKind } from '@overworld/contract/games/api-keys';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, ENVIRONMENTS, useGame } from '../../shell/game.ts';
import { Note } from '../../ui/text.tsx';
import { DialogForm } from '../../ui/forms/form-dialog.tsx';
import { SwitchField } from '../../ui/forms/switch-field.tsx';
import { NewKey } from './shown-key.tsx';

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
