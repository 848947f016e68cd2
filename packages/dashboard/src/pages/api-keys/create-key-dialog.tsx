import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Environment } from '@overworld/contract/common';
import { useState } from 'react';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, ENVIRONMENTS, useGame } from '../../shell/game.ts';
import { ShownKey } from './shown-key.tsx';
import { DialogButtons, FormProblem } from '../../ui/forms/form.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

export function CreateKeyDialog({ opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New API key" closeOnClickOutside={false}>
      {opened && <CreateKeyForm onClose={onClose} />}
    </Modal>
  );
}

function CreateKeyForm({ onClose }: { onClose: () => void }) {
  const { game_id, environment, can } = useGame();
  const create = useChange('POST /v1/games/{game_id}/api-keys');
  const [key, setKey] = useState<string | null>(null);
  const allowed = ENVIRONMENTS.filter((name) => name === 'development' || can('admin'));
  const form = useForm<{ name: string; environment: Environment }>({
    initialValues: {
      name: '',
      environment: allowed.includes(environment) ? environment : 'development',
    },
  });

  if (key !== null) {
    return (
      <Stack>
        <ShownKey value={key} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((body) =>
        create.mutate(
          { params: { game_id }, body },
          {
            onSuccess: (created) => setKey(created.key),
            onError: (error) => showFailure(form, error),
          },
        ),
      )}
    >
      <Stack>
        <FormProblem form={form} />
        <TextInput
          label="Name"
          description="What uses it, such as “Steam build”"
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <div>
          <Text size="sm" fw={500} mb={4} id="key-environment">
            Environment
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="key-environment"
            data={ENVIRONMENTS.map((value) => ({
              value,
              label: ENVIRONMENT_NAMES[value],
              disabled: !allowed.includes(value),
            }))}
            {...form.getInputProps('environment')}
          />
          {!can('admin') && (
            <Text size="xs" c="dimmed" mt={4}>
              A production key needs the role admin.
            </Text>
          )}
        </div>
        <DialogButtons onClose={onClose} action="Create key" busy={create.isPending} />
      </Stack>
    </form>
  );
}
