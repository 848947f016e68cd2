import { NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { readNumber } from '../../ui/forms/read-number.ts';
import { notify } from '../../ui/notify.tsx';
import type { Experiment } from './experiment-words.ts';

/** The form that raises the share of players who take part in an experiment. */
export function ShareForm({ experiment }: { experiment: Experiment }) {
  const { inEnvironment } = useGame();
  const change = useChange('PATCH /v1/games/{game_id}/experiments/{experiment_id}');
  const { id: experiment_id, share: current } = experiment;
  const form = useForm({
    initialValues: { share: current as number | string },
    validate: {
      share: (typed) => {
        const share = readNumber(typed);
        const is_fit = share !== undefined && share >= current && share <= 100;
        return is_fit ? null : `Enter a number from ${current} to 100`;
      },
    },
  });
  return (
    <DialogForm
      form={form}
      onSubmit={({ share }) =>
        change.mutateAsync({ ...inEnvironment({ experiment_id }), body: { share: Number(share) } })
      }
      onDone={() => notify.done('The share is raised')}
      action="Raise the share"
    >
      <NumberInput
        label="Share of the players"
        description="It can only grow: the players who are in keep their variants."
        suffix=" %"
        min={current}
        max={100}
        clampBehavior="none"
        data-autofocus
        {...form.getInputProps('share')}
      />
    </DialogForm>
  );
}
