import { Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Role } from '@overworld/contract/operation';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import { grantableRoles } from './roles.tsx';
import { DialogButtons, FormProblem } from '../../ui/forms/form.tsx';
import { VerifyAddress } from '../../ui/verify-address.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

export function InviteDialog({ opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite a member">
      {opened && <InviteForm onClose={onClose} />}
    </Modal>
  );
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const { game_id, can } = useGame();
  const invite = useChange('POST /v1/games/{game_id}/invitations');
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'developer' },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((body) =>
        invite.mutate(
          { params: { game_id }, body },
          {
            onSuccess: ({ email }) => {
              notify.done(`The invitation to ${email} is on its way`);
              onClose();
            },
            onError: (error) => showFailure(form, error),
          },
        ),
      )}
    >
      <Stack>
        <VerifyAddress />
        <FormProblem form={form} />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Select
          label="Role"
          data={grantableRoles(can)}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        <DialogButtons onClose={onClose} action="Send invitation" busy={invite.isPending} />
      </Stack>
    </form>
  );
}
