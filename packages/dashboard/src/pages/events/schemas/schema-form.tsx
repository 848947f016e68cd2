import { Anchor, Button, JsonInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { parseOr } from '../../../api/exact-json.ts';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { TrialResult } from '../../../reports/trials/trial-result.tsx';
import { useTrial } from '../../../reports/trials/use-trial.ts';
import type { TriedDocument } from '../../../reports/trials/use-trial.ts';
import { useGame } from '../../../shell/game.ts';
import { Note } from '../../../ui/text.tsx';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';
import type { EventSchema } from './event-schema.ts';

const EXAMPLE = {
  type: 'object',
  required: ['level'],
  properties: { level: { type: 'integer', minimum: 1 } },
};

/** @param edited The schema to change; null to add a new one. */
export function SchemaForm({ edited }: { edited: EventSchema | null }) {
  const { game_id, can } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/event-schemas/{event_name}');
  const [tried, setTried] = useState<TriedDocument | null>(null);
  const trial = useTrial(tried);
  const form = useForm({
    initialValues: {
      event_name: edited?.event_name ?? '',
      schema: JSON.stringify(edited?.schema ?? EXAMPLE, null, 2),
    },
    validate: { schema: (text) => parseOr(text, null) === null && 'This is not valid JSON' },
    // An edit removes the result of the last test, because that test used the schema before the edit.
    onValuesChange: () => setTried(null),
  });
  const mayEdit = can('developer');

  const inputOf = ({ event_name, schema }: typeof form.values) => ({
    params: { game_id, event_name },
    body: { schema: parseOr(schema, null) as object },
  });
  const save = (values: typeof form.values) =>
    put.mutateAsync({ ...inputOf(values), headers: edited ? {} : { 'if-none-match': '*' } });
  const tryOut = () => {
    if (form.validate().hasErrors) return;
    const { params, body } = inputOf(form.getValues());
    setTried({ kind: 'event_schema', key: params.event_name, definition: body });
  };

  return (
    <DialogForm
      form={form}
      onSubmit={save}
      action={mayEdit ? 'Save schema' : null}
      button={
        mayEdit && (
          <Button
            variant="subtle"
            onClick={tryOut}
            loading={trial.isAsked && !trial.error && (trial.isOld || !trial.trials)}
            disabled={form.values.event_name === ''}
          >
            Test on recent events
          </Button>
        )
      }
    >
      <TextInput
        label="Event name"
        disabled={edited !== null}
        data-autofocus={edited === null || undefined}
        {...form.getInputProps('event_name')}
      />
      <JsonInput
        label="JSON Schema of its properties"
        autosize
        minRows={10}
        maxRows={24}
        readOnly={!mayEdit}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        {...form.getInputProps('schema')}
      />
      <Note>
        Keywords: type, properties, required, enum, minimum, maximum, minLength, maxLength, items,
        additionalProperties.{' '}
        <Anchor href="/docs" target="_blank" size="xs" underline="always">
          API reference
        </Anchor>
      </Note>
      {trial.isAsked && <TrialResult trial={trial} idle="" tab="timeline" />}
    </DialogForm>
  );
}
