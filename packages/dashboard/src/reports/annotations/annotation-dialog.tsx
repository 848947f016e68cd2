import { Group, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_ANNOTATION_LENGTH } from '@overworld/contract/analytics/annotation-limits';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm, FormDialog } from '../../ui/forms/form-dialog.tsx';
import { isDay } from '../days/report-days.ts';
import type { Annotation } from './annotations.tsx';

interface DialogProps {
  /** Null for a new annotation. */
  edited: Annotation | null;
  /** The day that is suggested for a new one. */
  day: string;
  onClose: () => void;
}

export function AnnotationDialog({ opened, ...props }: DialogProps & { opened: boolean }) {
  return (
    <FormDialog
      opened={opened}
      onClose={props.onClose}
      title={props.edited ? 'Edit annotation' : 'Write annotation'}
    >
      <AnnotationForm {...props} />
    </FormDialog>
  );
}

function AnnotationForm({ edited, day, onClose }: DialogProps) {
  const { game_id, environment, game } = useGame();
  const create = useChange('POST /v1/games/{game_id}/annotations');
  const update = useChange('PATCH /v1/games/{game_id}/annotations/{annotation_id}');
  const moment = edited?.at ? localParts(edited.at) : null;
  const form = useForm({
    initialValues: {
      text: edited?.text ?? '',
      day: moment?.day ?? edited?.day ?? day,
      time: moment?.time ?? '',
    },
    validate: {
      text: (text) => text.trim() === '' && 'Text is required',
      day: (value) => !isDay(value) && 'This is no day',
    },
  });

  const submit = ({ text, day: chosen, time }: typeof form.values): Promise<unknown> => {
    const when =
      time === '' ? { day: chosen } : { at: new Date(`${chosen}T${time}`).toISOString() };
    const body = { text: text.trim(), ...when };
    return edited
      ? update.mutateAsync({ params: { game_id, annotation_id: edited.id }, body })
      : create.mutateAsync({ params: { game_id }, query: { environment }, body });
  };

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      onDone={onClose}
      onClose={onClose}
      action={edited ? 'Save' : 'Write annotation'}
    >
      <Textarea
        label="Text"
        description="Everybody in the game sees it on charts over time"
        placeholder="Featured on the front page of the shop"
        maxLength={MAX_ANNOTATION_LENGTH}
        autosize
        minRows={2}
        data-autofocus
        {...form.getInputProps('text')}
      />
      <Group grow align="flex-start">
        <TextInput
          type="date"
          label="Day"
          description={form.values.time === '' ? `In ${game.time_zone}` : 'In your own time zone'}
          min="1970-01-01"
          max="2100-12-31"
          {...form.getInputProps('day')}
        />
        <TextInput
          type="time"
          label="Time"
          description="Optional, in your own time zone"
          {...form.getInputProps('time')}
        />
      </Group>
    </DialogForm>
  );
}

/** Day and time of a moment in the reader's own zone, as fields take them. */
function localParts(at: string): { day: string; time: string } {
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return { day: local.slice(0, 10), time: local.slice(11, 16) };
}
