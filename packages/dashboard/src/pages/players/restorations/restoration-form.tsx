import { Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_BAD_VERSIONS } from '@overworld/contract/saves/restoration-limits';
import { useChange, useRead } from '../../../api/hooks.ts';
import { readMoment } from '../../../restorations/restoration.ts';
import { useGame } from '../../../shell/game.ts';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';
import { ConditionsField } from './conditions-field.tsx';
import type { Restoration } from './restoration.ts';
import type { SaveCondition } from './save-conditions.ts';

interface Draft {
  app_versions: string[];
  saved_from: string;
  saved_until: string;
  slot: string;
  segment: string | null;
  data: SaveCondition[];
}

/** The question for saves that a bad build has spoiled. */
export function RestorationForm({ onDone }: { onDone: (restoration: Restoration) => void }) {
  const { game, game_id, inEnvironment } = useGame();
  const zone = game.time_zone;
  const create = useChange('POST /v1/games/{game_id}/save-restorations');
  const segments = useRead('GET /v1/games/{game_id}/saved-reports', {
    params: { game_id },
    query: { kind: 'segment', limit: 200 },
  });
  const form = useForm<Draft>({
    initialValues: {
      app_versions: [],
      saved_from: '',
      saved_until: '',
      slot: '',
      segment: null,
      data: [],
    },
  });
  const { values } = form;
  const timeProps = { type: 'datetime-local', max: '9998-12-31T23:59' };
  const submit = () => {
    const { app_versions, slot, segment, data } = values;
    return create.mutateAsync({
      ...inEnvironment(),
      body: {
        app_versions,
        saved_from: readMoment('saved_from', values.saved_from, zone),
        saved_until: readMoment('saved_until', values.saved_until, zone),
        slot: slot === '' ? null : slot,
        segment,
        data,
      },
    });
  };

  return (
    <DialogForm form={form} onSubmit={submit} onDone={onDone} action="Look for bad saves">
      <TagsInput
        label="Versions of the game"
        description="Saves of these builds. Games name their version since the SDKs send it; leave this empty to find saves by time alone."
        placeholder="1.5.0"
        maxTags={MAX_BAD_VERSIONS}
        acceptValueOnBlur
        data-autofocus
        autoFocus
        {...form.getInputProps('app_versions')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          {...timeProps}
          label={`Saved from (${zone})`}
          description="Empty: in the last 30 days"
          {...form.getInputProps('saved_from')}
        />
        <TextInput
          {...timeProps}
          label={`Saved until (${zone})`}
          description="Empty: until now"
          {...form.getInputProps('saved_until')}
        />
        <TextInput
          label="Slot"
          description="Empty: all slots"
          placeholder="main"
          {...form.getInputProps('slot')}
        />
        <Select
          label="Segment"
          description="Empty: all players"
          data={segments.data?.saved_reports.map(({ name }) => name) ?? []}
          clearable
          searchable
          {...form.getInputProps('segment')}
        />
      </SimpleGrid>
      <ConditionsField
        conditions={values.data}
        onChange={(data) => form.setFieldValue('data', data)}
      />
    </DialogForm>
  );
}
