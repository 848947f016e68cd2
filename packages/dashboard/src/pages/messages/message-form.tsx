import { Select, SimpleGrid, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import {
  MAX_MESSAGE_REASON,
  MAX_MESSAGE_TEXT,
  MAX_MESSAGE_TITLE,
} from '@overworld/contract/messages/message-limits';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import {
  usePlayerProperties,
  usePlayerTags,
  useSegmentNames,
} from '../../reports/questions/known-names.ts';
import { PlayerConditionsField } from '../../reports/questions/player-conditions-field.tsx';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { SwitchField } from '../../ui/forms/switch-field.tsx';
import { TranslationFields } from '../../ui/forms/translation-fields.tsx';
import { notify } from '../../ui/notify.tsx';
import {
  CHANGE_SCHEDULE,
  CREATE_SCHEDULE,
  draftOf,
  newDraft,
  readBody,
  readSchedule,
  SEND,
} from './message-draft.ts';
import type { MessageDraft, Schedule } from './message-draft.ts';
import { MessagePreview } from './message-preview.tsx';
import { RewardFields } from './reward-fields.tsx';
import { ScheduleFields } from './schedule-fields.tsx';

type FormOf = UseFormReturnType<MessageDraft>;

/**
 * Writes a message and sends it, once or again and again. With a player, it goes to this player alone. With a
 * schedule, it changes the schedule.
 */
export function MessageForm(props: { player_id?: string; schedule?: Schedule }) {
  const { player_id, schedule } = props;
  const { game, inEnvironment } = useGame();
  const zone = game.time_zone;
  const send = useChange(SEND);
  const create = useChange(CREATE_SCHEDULE);
  const change = useChange(CHANGE_SCHEDULE);
  // A repeated submit whose first answer was lost must not send twice.
  const [id] = useState(() => crypto.randomUUID());
  const [initial] = useState(() =>
    schedule === undefined ? newDraft(player_id) : draftOf(schedule),
  );
  const form = useForm<MessageDraft>({ initialValues: initial });
  const { repeats } = form.values;

  const submit = async (draft: MessageDraft): Promise<string> => {
    if (!draft.repeats) {
      const body = { ...readBody(draft, zone), id };
      const { is_sending } = await send.mutateAsync({ ...inEnvironment(), body });
      return is_sending ? 'The message is being sent' : 'Message sent';
    }
    const { rewards, ...body } = readSchedule(draft);
    if (schedule === undefined) {
      await create.mutateAsync({ ...inEnvironment(), body: { ...body, rewards } });
      return 'Schedule made';
    }
    // Rewards can have data, which this form does not show.
    const isSame = JSON.stringify(draft.rewards) === JSON.stringify(initial.rewards);
    await change.mutateAsync({
      ...inEnvironment({ message_schedule_id: schedule.id }),
      body: isSame ? body : { ...body, rewards },
    });
    return 'Schedule changed';
  };

  return (
    <DialogForm
      form={form}
      action={schedule !== undefined ? 'Save' : repeats ? 'Make schedule' : 'Send message'}
      onSubmit={submit}
      onDone={(words) => notify.done(words)}
    >
      {player_id === undefined && <AudienceFields form={form} />}
      <TextInput
        label="Title"
        placeholder="Sorry for the long night"
        maxLength={MAX_MESSAGE_TITLE}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <Textarea
        label="Text"
        placeholder="Our servers were down. Here are 50 coins."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_MESSAGE_TEXT}
        {...form.getInputProps('text')}
      />
      <TranslationFields
        texts={[
          { name: 'title', label: 'Title', by_default: form.values.title },
          { name: 'text', label: 'Text', by_default: form.values.text, isLong: true },
        ]}
        value={form.values.translations}
        onChange={(translations) => form.setFieldValue('translations', translations)}
      />
      <RewardFields
        rewards={form.values.rewards}
        onChange={(rewards) => form.setFieldValue('rewards', rewards)}
      />
      {player_id === undefined && schedule === undefined && (
        <SwitchField
          label="Sent"
          value={repeats ? 'again' : 'once'}
          onChange={(chosen) => form.setFieldValue('repeats', chosen === 'again')}
          data={[
            { value: 'once', label: 'Once' },
            { value: 'again', label: 'Every day or week' },
          ]}
        />
      )}
      {repeats ? (
        <ScheduleFields form={form} zone={zone} />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            type="datetime-local"
            max="9998-12-31T23:59"
            label={`Starts (${zone})`}
            description="Empty: at once"
            {...form.getInputProps('starts_at')}
          />
          <TextInput
            type="datetime-local"
            max="9998-12-31T23:59"
            label={`Ends (${zone})`}
            description="Empty: it stays until it is recalled"
            {...form.getInputProps('ends_at')}
          />
        </SimpleGrid>
      )}
      <TextInput
        label="Reason"
        description="For the members of the game, and in the audit log"
        placeholder={player_id === undefined ? 'Outage of March 14' : 'Paid and got nothing'}
        maxLength={MAX_MESSAGE_REASON}
        {...form.getInputProps('reason')}
      />
      <MessagePreview draft={form.values} />
    </DialogForm>
  );
}

/** The fields that say who gets the message. */
function AudienceFields({ form }: { form: FormOf }) {
  const { to, joiners } = form.values;
  return (
    <Stack gap="xs">
      <SwitchField
        label="To"
        value={to}
        onChange={(chosen) => form.setFieldValue('to', chosen as MessageDraft['to'])}
        data={[
          { value: 'everyone', label: 'Everyone' },
          { value: 'segment', label: 'Some players' },
          { value: 'player', label: 'One player' },
        ]}
      />
      {to === 'player' && (
        <TextInput
          label="Player id"
          spellCheck={false}
          maxLength={255}
          {...form.getInputProps('player_id')}
        />
      )}
      {to === 'segment' && <SegmentFields form={form} />}
      {to !== 'player' && (
        <Switch
          label={
            to === 'everyone'
              ? 'Also for players who come later'
              : 'Also for players who meet the conditions later'
          }
          checked={joiners === 'included'}
          onChange={(event) =>
            form.setFieldValue('joiners', event.currentTarget.checked ? 'included' : 'excluded')
          }
        />
      )}
    </Stack>
  );
}

function SegmentFields({ form }: { form: FormOf }) {
  const segments = useSegmentNames();
  const tags = usePlayerTags();
  const properties = usePlayerProperties();
  return (
    <Stack gap="xs">
      <Select
        label="Saved segment"
        description="With conditions on tags, properties and statistics alone"
        data={segments}
        searchable
        clearable
        placeholder="None"
        value={form.values.segment === '' ? null : form.values.segment}
        onChange={(name) => form.setFieldValue('segment', name ?? '')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        <TagsInput label="Has all tags" data={tags} {...form.getInputProps('has_tags')} />
        <TagsInput label="Has none of the tags" data={tags} {...form.getInputProps('lacks_tags')} />
      </SimpleGrid>
      <PlayerConditionsField
        conditions={form.values.properties}
        properties={properties}
        onChange={(conditions) => form.setFieldValue('properties', conditions)}
      />
    </Stack>
  );
}
