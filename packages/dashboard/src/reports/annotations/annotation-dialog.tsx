import { Group, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_ANNOTATION_LENGTH } from '@overworld/contract/analytics/annotation-limits';
import { isVisible } from '@overworld/contract/names';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { ownZone } from '../../ui/time/own-zone.ts';
import { momentOf, readClock } from '../../ui/time/zoned-time.ts';
import { isDay } from '../days/report-days.ts';
import type { Annotation } from './annotation.ts';

interface FormProps {
  /** Null for a new annotation. */
  edited: Annotation | null;
  /** The suggested day for a new annotation. */
  day: string;
}

export function AnnotationDialog({
  opened,
  onClose,
  ...props
}: FormProps & { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={props.edited ? 'Edit annotation' : 'Write annotation'}
    >
      <AnnotationForm {...props} />
    </FormDialog>
  );
}

function AnnotationForm({ edited, day }: FormProps) {
  const { game_id, environment, game } = useGame();
  const create = useChange('POST /v1/games/{game_id}/annotations');
  const update = useChange('PATCH /v1/games/{game_id}/annotations/{annotation_id}');
  const [own_day, time = ''] = edited?.at
    ? readClock(Date.parse(edited.at), ownZone).split('T')
    : [];
  const form = useForm({
    initialValues: {
      text: edited?.text ?? '',
      day: own_day ?? edited?.day ?? day,
      time,
    },
    validate: {
      text: (text) => !isVisible(text) && 'Text is required',
      day: (value) => !isDay(value) && 'Choose a day',
    },
  });

  const submit = (typed: typeof form.values): Promise<unknown> => {
    const when =
      typed.time === ''
        ? { day: typed.day }
        : { at: momentOf(`${typed.day}T${typed.time}`, ownZone)! };
    const body = { text: typed.text.trim(), ...when };
    return edited
      ? update.mutateAsync({ params: { game_id, annotation_id: edited.id }, body })
      : create.mutateAsync({ params: { game_id }, query: { environment }, body });
  };

  return (
    <DialogForm form={form} onSubmit={submit} action={edited ? 'Save' : 'Write annotation'}>
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
