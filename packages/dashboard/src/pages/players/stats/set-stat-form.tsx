import { NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { formatScore } from '../../../ui/format.ts';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';
import { readNumber } from '../../../ui/forms/read-number.ts';
import { notify } from '../../../ui/notify.tsx';
import type { StatOfPlayer } from './stat-of-player.ts';

/** Sets the value of a statistic of a player, for a reason. */
export function SetStatForm({ player_id, stat }: { player_id: string; stat: StatOfPlayer }) {
  const { inEnvironment } = useGame();
  const set = useChange('PUT /v1/games/{game_id}/players/{player_id}/stats/{stat_key}');
  const form = useForm({
    initialValues: { value: (stat.value ?? '') as number | string, reason: '' },
    validate: {
      value: (typed) => (Number.isFinite(readNumber(typed)) ? null : 'Type a number'),
      reason: (typed) => (typed.trim() === '' ? 'Write why you set it' : null),
    },
  });
  return (
    <DialogForm
      form={form}
      action="Set value"
      onSubmit={({ value, reason }) =>
        set.mutateAsync({
          ...inEnvironment({ player_id, stat_key: stat.key }),
          body: { value: readNumber(value)!, reason },
        })
      }
      onDone={({ name, value }) => notify.done(`${name} is ${formatScore(value!)}`)}
    >
      <NumberInput
        label="Value"
        description={stat.value === null ? undefined : `Now ${formatScore(stat.value)}`}
        data-autofocus
        {...form.getInputProps('value')}
      />
      <TextInput
        label="Reason"
        description="Members of the game see it, the player does not"
        maxLength={500}
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
