import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { useState } from 'react';
import { useGame } from '../../shell/game.ts';
import { DialogForm, useCloseDialog } from '../../ui/forms/dialogs.tsx';
import { Meanwhile } from './changes/meanwhile.tsx';
import { ReviewStep } from './changes/review-step.tsx';
import { needsReview, withParameter } from './config.ts';
import type { Chosen, Config } from './config.ts';
import { findValueProblem, readParameter, writeParameter } from './rules/parameter-draft.ts';
import { ParameterFields } from './rules/parameter-fields.tsx';
import { ExperimentNotes } from './running-experiments.tsx';
import { ScheduleNotes } from './schedules/schedule-notes.tsx';

interface FormProps {
  edited: Chosen<string | null>;
  /** Rejects with the server's refusal. */
  onStore: (current: Config, key: string, parameter: ConfigParameter) => Promise<unknown>;
}

const findParameter = ({ seen: { parameters }, key }: Chosen<string | null>) =>
  key !== null && Object.hasOwn(parameters, key) ? parameters[key]! : null;

export function ParameterForm({ edited, onStore }: FormProps) {
  const close = useCloseDialog();
  const { environment, can } = useGame();
  const readOnly = !can('developer');
  const reviews = needsReview(environment);
  const [reviewed, setReviewed] = useState<{ key: string; parameter: ConfigParameter } | null>(
    null,
  );
  const form = useForm({
    initialValues: { key: edited.key ?? '', ...readParameter(findParameter(edited)) },
    validate: {
      key: (key) =>
        edited.key === null &&
        Object.hasOwn(edited.current.parameters, key) &&
        'A parameter with this key already exists',
      value: findValueProblem,
    },
  });
  const meanwhile = <Meanwhile seen={edited.seen} current={edited.current} />;

  if (reviewed !== null) {
    const { key, parameter } = reviewed;
    const { parameters } = edited.current;
    return (
      <ReviewStep
        before={parameters}
        after={withParameter(parameters, key, parameter)}
        action={`Publish to ${environment}`}
        onConfirm={async () => {
          await onStore(edited.current, key, parameter);
          close();
        }}
        onBack={() => setReviewed(null)}
      >
        {meanwhile}
        <ExperimentNotes keys={[key]} />
        <ScheduleNotes keys={[key]} />
      </ReviewStep>
    );
  }

  const submit = async ({ key, ...draft }: typeof form.values) => {
    const parameter = writeParameter(draft);
    if (!reviews) {
      await onStore(edited.current, key, parameter);
      return close();
    }
    if (key === '') throw new Error('key must not be empty');
    setReviewed({ key, parameter });
  };

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      isStep
      action={readOnly ? null : reviews ? 'Review change' : 'Save parameter'}
    >
      {meanwhile}
      <ExperimentNotes keys={edited.key === null ? [] : [edited.key]} />
      <TextInput
        label="Key"
        disabled={edited.key !== null}
        data-autofocus={edited.key === null || undefined}
        {...form.getInputProps('key')}
      />
      <ParameterFields
        parameter={form.values.key}
        draft={form.values}
        readOnly={readOnly}
        inputProps={(field) => form.getInputProps(field)}
        onRules={(rules) => form.setFieldValue('rules', rules)}
      />
    </DialogForm>
  );
}
