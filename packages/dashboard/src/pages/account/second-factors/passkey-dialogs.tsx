import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { showFailure } from '../../../api/field-error.ts';
import { useChange } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { makePasskey } from '../../../api/passkeys.ts';
import { DialogButtons, FormProblem } from '../../../ui/forms/form.tsx';
import { notify } from '../../../ui/notify.tsx';
import { PasswordForm } from './password-dialog.tsx';
import { RecoveryCodes, wordsOn } from './recovery-codes.tsx';

export type Passkey = Answer<'GET /v1/auth/second-factors'>['passkeys'][number];

/** Adds a passkey: password and name, the browser's question, and recovery codes with the first factor. */
export function AddPasskeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="New passkey" closeOnClickOutside={false}>
      {opened && <AddPasskeySteps onClose={onClose} />}
    </Modal>
  );
}

function AddPasskeySteps({ onClose }: { onClose: () => void }) {
  const begin = useChange('POST /v1/auth/second-factors/passkeys/options', { leaves: true });
  const add = useChange('POST /v1/auth/second-factors/passkeys');
  const [codes, setCodes] = useState<string[] | null>(null);

  if (codes !== null) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <PasswordForm
      action="Add passkey"
      name="Passkey"
      onClose={onClose}
      onConfirm={async ({ password, name }) => {
        const { challenge, options } = await begin.mutateAsync({ body: { password } });
        const credential = await makePasskey(options);
        const added = await add.mutateAsync({ body: { challenge, name, credential } });
        notify.done(wordsOn('The passkey was added.', added.recovery_codes));
        if (added.recovery_codes === null) onClose();
        else setCodes(added.recovery_codes);
      }}
    >
      The browser then asks for your fingerprint, face, PIN or security key.
    </PasswordForm>
  );
}

export function RenamePasskeyDialog(props: { passkey: Passkey | null; onClose: () => void }) {
  const { passkey, onClose } = props;
  return (
    <Modal opened={passkey !== null} onClose={onClose} title="Rename passkey">
      {passkey && <RenameForm passkey={passkey} onClose={onClose} />}
    </Modal>
  );
}

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useChange('PATCH /v1/auth/second-factors/passkeys/{passkey_id}');
  const form = useForm({ initialValues: { name: passkey.name } });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((body) =>
        rename.mutate(
          { params: { passkey_id: passkey.id }, body },
          { onSuccess: onClose, onError: (error) => showFailure(form, error) },
        ),
      )}
    >
      <Stack>
        <FormProblem form={form} />
        <TextInput
          label="Name"
          maxLength={100}
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <DialogButtons onClose={onClose} action="Rename" busy={rename.isPending} />
      </Stack>
    </form>
  );
}
