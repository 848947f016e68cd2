import { Anchor, Button, JsonInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { parseOr } from '../../../api/exact-json.ts';
import { showFailure } from '../../../api/field-error.ts';
import { useChange } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Note } from '../../../ui/text.tsx';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';
import { TextLink } from '../../../ui/links.tsx';
import type { EventSchema } from './event-schema.ts';
import type { Answer } from '../../../api/operations.ts';
import { PlayerName } from '../../../shell/player-name.tsx';
import { Ago } from '../../../ui/time/moment.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import classes from './schema-trial.module.css';

const EXAMPLE = {
  type: 'object',
  required: ['level'],
  properties: { level: { type: 'integer', minimum: 1 } },
};

/** @param edited The schema to change; null to add a new one. */
export function SchemaForm({ edited }: { edited: EventSchema | null }) {
  const { game_id, environment, can } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/event-schemas/{event_name}');
  const trial = useChange('POST /v1/games/{game_id}/event-schemas/{event_name}/test');
  const form = useForm({
    initialValues: {
      event_name: edited?.event_name ?? '',
      schema: JSON.stringify(edited?.schema ?? EXAMPLE, null, 2),
    },
    validate: { schema: (text) => parseOr(text, null) === null && 'This is not valid JSON' },
    // An edit removes the result of the last test, because that test used the schema before the edit.
    onValuesChange: () => trial.reset(),
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
    trial.mutate(
      { ...inputOf(form.getValues()), query: { environment } },
      { onError: (error) => showFailure(form, error) },
    );
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
            loading={trial.isPending}
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
      {trial.data && <SchemaTrial trial={trial.data} />}
    </DialogForm>
  );
}

type Trial = Answer<'POST /v1/games/{game_id}/event-schemas/{event_name}/test'>;

/**
 * Shows how many recent events comply with a schema, and the violations of the newest events that do not.
 */
function SchemaTrial({ trial: { tested, passed, failures } }: { trial: Trial }) {
  const { environment, path } = useGame();
  const failed = tested - passed;
  return (
    <div className={classes.trial} data-failed={failed > 0 || undefined} role="status">
      <p>{sentenceOf(tested, failed, environment)}</p>
      {failures.length > 0 && (
        <ul tabIndex={0} aria-label="Events that break the schema">
          {failures.map(({ event_id, player_id, received_at, message }) => (
            <li key={event_id}>
              <span className="name">{message}</span>
              <span className={classes.where}>
                {player_id !== null && (
                  <>
                    <TextLink
                      to={`${path('players', player_id)}?tab=timeline`}
                      size="xs"
                      className="name"
                    >
                      <PlayerName player_id={player_id} />
                    </TextLink>
                    ,{' '}
                  </>
                )}
                <Ago at={received_at} />
              </span>
            </li>
          ))}
          {failed > failures.length && <li>and {formatCount(failed - failures.length)} more</li>}
        </ul>
      )}
    </div>
  );
}

function sentenceOf(tested: number, failed: number, environment: string): string {
  const events = `${countOf(tested, 'recent event')} of this name in ${environment}`;
  if (tested === 0) return `No event of this name was received in ${environment} yet.`;
  if (failed === 0) return `All of the ${events} keep to this schema.`;
  return `${formatCount(failed)} of the ${events} ${failed === 1 ? 'breaks' : 'break'} this schema.`;
}
