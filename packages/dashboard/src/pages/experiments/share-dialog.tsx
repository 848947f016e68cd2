import { NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm, FormDialog } from '../../ui/forms/form-dialog.tsx';
import { readNumber } from '../../ui/forms/read-number.ts';
import { notify } from '../../ui/notify.tsx';
import type { Experiment } from './experiment-words.ts';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  experiment: Experiment;
}

export function ShareDialog(props: DialogProps) {
  const { opened, onClose } = props;
  return (
    <FormDialog opened={opened} onClose={onClose} title="Raise the share">
      <ShareForm {...props} />
    </FormDialog>
  );
}

function ShareForm({ experiment, onClose }: DialogProps) {
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
      onDone={() => {
        onClose();
        notify.done('The share is raised');
      }}
      onClose={onClose}
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
