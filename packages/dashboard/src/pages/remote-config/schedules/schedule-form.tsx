import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Failure } from '../../../api/failure.ts';
import { useChange } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Note } from '../../../ui/text.tsx';
import { DialogForm, useCloseDialog } from '../../../ui/forms/dialogs.tsx';
import { notify } from '../../../ui/notify.tsx';
import { ReviewStep } from '../changes/review-step.tsx';
import { needsReview } from '../config.ts';
import type { Config } from '../config.ts';
import { readParameter } from '../rules/parameter-draft.ts';
import { readTimes, writeParameters } from './schedule-draft.ts';
import type { ScheduleDraft } from './schedule-draft.ts';
import { outcomeOf } from './schedules.ts';
import { ExperimentNotes } from '../running-experiments.tsx';
import { ScheduledParameters } from './scheduled-parameters.tsx';
import type { ScheduleDetail } from './schedules.ts';
import { formatWeekdayMinute } from '../../../ui/time/format-time.ts';
import { readClock } from '../../../ui/time/zoned-time.ts';
import { nextWeekend } from './next-weekend.ts';

/** The fields of a scheduled change, followed by the review of that change. */
export function ScheduleForm(props: {
  /** Null for a new scheduled change. */
  schedule: ScheduleDetail | null;
  config: Config;
  /** Called when somebody else has edited the scheduled change meanwhile. */
  onConflict?: () => void;
}) {
  const { schedule, config, onConflict } = props;
  const close = useCloseDialog();
  const { environment, game, inEnvironment, can } = useGame();
  const zone = game.time_zone;
  const create = useChange('POST /v1/games/{game_id}/config/schedules');
  const update = useChange('PATCH /v1/games/{game_id}/config/schedules/{schedule_id}');
  // The page loads the change again while somebody edits it, but the fields and this version stay.
  const [version] = useState(schedule?.version);
  const [isReviewed, setReviewed] = useState(false);
  const state = schedule?.state ?? 'coming';
  const isRunning = state === 'running';
  const readOnly = !can('developer') || !['coming', 'running'].includes(state);
  const clockOf = (time: string | null | undefined) =>
    time ? readClock(Date.parse(time), zone) : '';
  const form = useForm<ScheduleDraft>({
    initialValues: {
      name: schedule?.name ?? '',
      starts_at: clockOf(schedule?.starts_at),
      ends_at: clockOf(schedule?.ends_at),
      parameters: Object.entries(schedule?.parameters ?? {}).map(([key, parameter]) => ({
        key,
        draft: readParameter(parameter),
      })),
    },
  });
  const { starts_at, ends_at, parameters } = form.values;

  const store = async () => {
    const { name } = form.values;
    const times = readTimes(form.values, zone);
    if (schedule === null) {
      const body = { name, ...times, parameters: writeParameters(parameters) };
      await create.mutateAsync({ ...inEnvironment(), body });
    } else {
      const body = isRunning
        ? { version, name, ends_at: times.ends_at }
        : { version, name, ...times, parameters: writeParameters(parameters) };
      await update
        .mutateAsync({ ...inEnvironment({ schedule_id: schedule.id }), body })
        .catch((error: unknown) => {
          if (!isConflict(error)) throw error;
          onConflict?.();
          throw conflict();
        });
    }
    notify.done(`“${name}” is scheduled in ${environment}`);
    close();
  };

  if (isReviewed) {
    const times = readTimes(form.values, zone);
    const after = new Map([
      ...Object.entries(config.parameters),
      ...Object.entries(writeParameters(parameters)),
    ]);
    return (
      <ReviewStep
        before={config.parameters}
        after={Object.fromEntries(after)}
        action="Schedule change"
        onConfirm={store}
        onBack={() => setReviewed(false)}
      >
        <Text size="sm">{wordsOf(times, zone)}</Text>
      </ReviewStep>
    );
  }

  const submit = async () => {
    readTimes(form.values, zone);
    writeParameters(parameters);
    if (form.values.name === '') throw new Error('name must not be empty');
    if (needsReview(environment) && !isRunning) setReviewed(true);
    else await store();
  };

  const timeProps = {
    type: 'datetime-local',
    // A year must have four digits. Without this limit, a browser accepts six.
    max: '9998-12-31T23:59',
  };
  const outcome = schedule && outcomeOf(schedule);
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      isStep
      action={
        readOnly ? null : needsReview(environment) && !isRunning ? 'Review change' : 'Save change'
      }
    >
      {outcome && <Text size="sm">{outcome}</Text>}
      <TextInput
        label="Name"
        placeholder="Double rewards of the weekend"
        readOnly={readOnly}
        data-autofocus
        // The dialog looks for the field when it opens, and the form may still be loading then.
        autoFocus
        {...form.getInputProps('name')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          {...timeProps}
          label={`Starts (${zone})`}
          description="Empty: at once"
          readOnly={readOnly || isRunning}
          {...form.getInputProps('starts_at')}
        />
        <TextInput
          {...timeProps}
          label={`Ends (${zone})`}
          description="Empty: the new values stay"
          readOnly={readOnly}
          {...form.getInputProps('ends_at')}
        />
      </SimpleGrid>
      {!readOnly && !isRunning && (
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              const { start, end } = nextWeekend(Date.now(), zone);
              form.setValues({ starts_at: start, ends_at: end });
            }}
          >
            The coming weekend
          </Button>
        </Group>
      )}
      {ends_at !== '' && !readOnly && (
        <Note>
          At the end each parameter returns to its value before the start. A parameter that somebody
          changes by hand in between stays as it is then.
        </Note>
      )}
      <ExperimentNotes keys={readOnly || isRunning ? [] : parameters.map(({ key }) => key)} />
      <ScheduledParameters
        config={config}
        parameters={parameters}
        readOnly={readOnly || isRunning}
        onChange={(changed) => form.setFieldValue('parameters', changed)}
      />
      {starts_at === '' && !readOnly && parameters.length > 0 && schedule === null && (
        <Note>Without a start, players get the new values as soon as you confirm.</Note>
      )}
    </DialogForm>
  );
}

const isConflict = (error: unknown) =>
  error instanceof Failure && error.body.server_version !== undefined;

const conflict = () =>
  new Failure(
    409,
    'Somebody set this scheduled change meanwhile, and yours was not stored. Close it and open it again to see theirs.',
  );

function wordsOf(times: { starts_at?: string; ends_at: string | null }, zone: string): string {
  const at = (time: string) => formatWeekdayMinute(time, zone);
  const start = times.starts_at === undefined ? 'At once' : `From ${at(times.starts_at)}`;
  const end = times.ends_at === null ? ', for good' : `, until ${at(times.ends_at)}`;
  return `${start}${end}. Times are in ${zone}.`;
}
