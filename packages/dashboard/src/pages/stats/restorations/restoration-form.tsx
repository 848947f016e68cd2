import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_RESTORED_STATS } from '@overworld/contract/stats/restoration-limits';
import { STAT_HOUR_DAYS } from '@overworld/contract/stats/stat-limits';
import { useChange, useRead } from '../../../api/hooks.ts';
import { readMoment } from '../../../restorations/restoration.ts';
import { useGame } from '../../../shell/game.ts';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';
import type { StatRestoration } from './restoration.ts';

/** The question for changes of statistics that were made by mistake. */
export function StatRestorationForm(props: { onDone: (restoration: StatRestoration) => void }) {
  const { game, game_id, inEnvironment } = useGame();
  const zone = game.time_zone;
  const create = useChange('POST /v1/games/{game_id}/stat-restorations');
  const stats = useRead('GET /v1/games/{game_id}/stats', inEnvironment());
  const segments = useRead('GET /v1/games/{game_id}/saved-reports', {
    params: { game_id },
    query: { kind: 'segment', limit: 200 },
  });
  const form = useForm({
    initialValues: {
      stats: [] as string[],
      changed_from: '',
      changed_until: '',
      segment: null as string | null,
    },
    validate: { stats: (chosen) => (chosen.length === 0 ? 'Choose a statistic' : null) },
  });
  const { values } = form;
  const timeProps = { type: 'datetime-local', max: '9998-12-31T23:59', required: true };

  const submit = () =>
    create.mutateAsync({
      ...inEnvironment(),
      body: {
        stats: values.stats,
        changed_from: readMoment('changed_from', values.changed_from, zone)!,
        changed_until: readMoment('changed_until', values.changed_until, zone)!,
        segment: values.segment,
      },
    });

  return (
    <DialogForm form={form} onSubmit={submit} onDone={props.onDone} action="Look for bad changes">
      <MultiSelect
        label="Statistics"
        description="Those that events move are not listed: the stored events would bring their changes back."
        data={
          stats.data?.stats
            .filter(({ archived, source }) => !archived && source === null)
            .map(({ key, name }) => ({ value: key, label: name })) ?? []
        }
        maxValues={MAX_RESTORED_STATS}
        searchable
        data-autofocus
        autoFocus
        {...form.getInputProps('stats')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          {...timeProps}
          label={`Changed from (${zone})`}
          description={`A whole hour (UTC) in the last ${STAT_HOUR_DAYS} days`}
          {...form.getInputProps('changed_from')}
        />
        <TextInput
          {...timeProps}
          label={`Changed until (${zone})`}
          description="A whole hour (UTC) that is over"
          {...form.getInputProps('changed_until')}
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
    </DialogForm>
  );
}
