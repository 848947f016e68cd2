import {
  Alert,
  Anchor,
  Button,
  Group,
  JsonInput,
  Modal,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import type { EventSchema } from './schemas-tab.tsx';

const EXAMPLE = {
  type: 'object',
  required: ['level'],
  properties: { level: { type: 'integer', minimum: 1 } },
};

interface DialogProps {
  edited: EventSchema | 'new' | null;
  onClose: () => void;
}

export function SchemaDialog({ edited, onClose }: DialogProps) {
  return (
    <Modal
      opened={edited !== null}
      onClose={onClose}
      title="Event schema"
      size="lg"
      closeOnClickOutside={false}
    >
      {edited && <SchemaForm edited={edited === 'new' ? null : edited} onClose={onClose} />}
    </Modal>
  );
}

function SchemaForm({ edited, onClose }: { edited: EventSchema | null; onClose: () => void }) {
  const { game_id, can } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/event-schemas/{event_name}');
  const form = useForm({
    initialValues: {
      event_name: edited?.event_name ?? '',
      schema: JSON.stringify(edited?.schema ?? EXAMPLE, null, 2),
    },
  });

  const submit = ({ event_name, schema: text }: typeof form.values) => {
    let schema: object;
    try {
      schema = JSON.parse(text) as object;
    } catch {
      form.setFieldError('schema', 'This is not valid JSON');
      return;
    }
    put.mutate(
      { params: { game_id, event_name }, body: { schema } },
      { onSuccess: onClose, onError: (error) => showFailure(form, error) },
    );
  };

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        {form.errors.form && (
          <Alert color="clay" variant="light" role="alert" py="xs">
            {form.errors.form}
          </Alert>
        )}
        <TextInput
          label="Event name"
          disabled={edited !== null}
          data-autofocus={edited === null}
          autoComplete="off"
          {...form.getInputProps('event_name')}
        />
        <JsonInput
          label="JSON Schema of its properties"
          autosize
          minRows={10}
          maxRows={24}
          readOnly={!can('developer')}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          {...form.getInputProps('schema')}
        />
        <Text size="xs" c="dimmed">
          Keywords: type, properties, required, enum, minimum, maximum, minLength, maxLength, items,
          additionalProperties.{' '}
          <Anchor href="/docs" target="_blank" size="xs">
            Reference
          </Anchor>
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {can('developer') ? 'Cancel' : 'Close'}
          </Button>
          {can('developer') && (
            <Button type="submit" loading={put.isPending}>
              Save schema
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
