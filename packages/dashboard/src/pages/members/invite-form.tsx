import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Role } from '@overworld/contract/operation';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/form-dialog.tsx';
import { notify } from '../../ui/notify.tsx';
import { VerifyAddress } from '../../ui/verify-address.tsx';
import { grantableRoles } from './roles.ts';

export function InviteForm({ onClose }: { onClose: () => void }) {
  const { game_id, can } = useGame();
  const invite = useChange('POST /v1/games/{game_id}/invitations');
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'developer' },
  });
  const submit = async (body: typeof form.values) => {
    const { email } = await invite.mutateAsync({ params: { game_id }, body });
    notify.done(`The invitation to ${email} is on its way`);
  };
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      onDone={onClose}
      onClose={onClose}
      action="Send invitation"
    >
      <VerifyAddress />
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
    </DialogForm>
  );
}
