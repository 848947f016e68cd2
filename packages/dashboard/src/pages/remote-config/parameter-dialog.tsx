import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { useState } from 'react';
import { parseOr } from '../../api/exact-json.ts';
import { useGame } from '../../shell/game.ts';
import { Json } from '../../ui/json/code.tsx';
import { AddButton } from '../../ui/add-button.tsx';
import { DialogForm, FormDialog } from '../../ui/forms/form-dialog.tsx';
import type { Chosen, Config } from './remote-config-page.tsx';
import { blankRule, readRule, RuleFields, writeRule } from './rule-fields.tsx';
import type { RuleDraft } from './rule-fields.tsx';

interface DialogProps {
  /** Holds the current config after a conflict. */
  edited: Chosen<string | null> | null;
  onClose: () => void;
  /** Rejects with the server's refusal. */
  onStore: (seen: Config, key: string, parameter: ConfigParameter) => Promise<unknown>;
}

export function ParameterDialog(props: DialogProps) {
  return (
    <FormDialog
      opened={props.edited !== null}
      onClose={props.onClose}
      title={props.edited?.key === null ? 'New parameter' : 'Parameter'}
      size="lg"
    >
      {props.edited && <ParameterForm {...props} edited={props.edited} />}
    </FormDialog>
  );
}

const findParameter = ({ config: { parameters }, key }: Chosen<string | null>) =>
  key !== null && Object.hasOwn(parameters, key) ? parameters[key]! : null;

function ParameterForm({
  edited,
  onClose,
  onStore,
}: DialogProps & { edited: Chosen<string | null> }) {
  const { can } = useGame();
  const readOnly = !can('developer');
  const current = findParameter(edited);
  /** The parameter when the dialog opened. */
  const [parameter] = useState(current);
  const form = useForm({
    initialValues: {
      key: edited.key ?? '',
      description: parameter?.description ?? '',
      value: parameter ? JSON.stringify(parameter.value, null, 2) : '',
      rules: (parameter?.rules ?? []).map(readRule),
    },
    validate: {
      key: (key) =>
        edited.key === null &&
        Object.hasOwn(edited.config.parameters, key) &&
        'A parameter with this key already exists',
      value: (text) =>
        parseOr(text, undefined) === undefined && 'This is not JSON. Put text in quotes.',
    },
  });

  const submit = async ({ key, description, value: text, rules }: typeof form.values) => {
    const written = rules.map((rule, index) => writeRule(rule, index + 1));
    await onStore(edited.config, key, {
      value: parseOr(text, undefined),
      ...(description ? { description } : {}),
      ...(written.length > 0 ? { rules: written } : {}),
    });
  };

  const setRules = (rules: RuleDraft[]) => form.setFieldValue('rules', rules);
  const { rules } = form.values;

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      onDone={onClose}
      onClose={onClose}
      action={readOnly ? null : 'Save parameter'}
    >
      {JSON.stringify(current) !== JSON.stringify(parameter) && <Meanwhile parameter={current} />}
      <TextInput
        label="Key"
        disabled={edited.key !== null}
        data-autofocus={edited.key === null}
        {...form.getInputProps('key')}
      />
      <TextInput label="Description" readOnly={readOnly} {...form.getInputProps('description')} />
      <Textarea
        label="Value"
        description='JSON: 100, true, "text", {"open": true}'
        autosize
        minRows={1}
        maxRows={12}
        readOnly={readOnly}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        {...form.getInputProps('value')}
      />
      <div>
        <Text fw={600} size="sm">
          Rules
        </Text>
        <Text size="xs" c="dimmed">
          The first one that matches a player gives the value.
        </Text>
      </div>
      {rules.map((rule, index) => (
        <RuleFields
          key={rule.id}
          number={index + 1}
          rule={rule}
          readOnly={readOnly}
          onChange={(next) => setRules(rules.map((each) => (each === rule ? next : each)))}
          onRemove={() => setRules(rules.filter((each) => each !== rule))}
        />
      ))}
      {!readOnly && (
        <AddButton
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setRules([...rules, blankRule()])}
        >
          Add rule
        </AddButton>
      )}
    </DialogForm>
  );
}

/** Shows that somebody else changed or deleted the parameter that is being edited. */
function Meanwhile({ parameter }: { parameter: ConfigParameter | null }) {
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm">
        {parameter
          ? 'This parameter was changed meanwhile; saving replaces it.'
          : 'This parameter was deleted meanwhile; saving makes it again.'}
      </Text>
      {parameter && <Json value={parameter} label="parameter as it is now" maxHeight={200} />}
    </Stack>
  );
}
