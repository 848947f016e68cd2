import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { makePasskey } from '../../../api/passkeys.ts';
import { DialogForm } from '../../../ui/forms/form-dialog.tsx';
import { notify } from '../../../ui/notify.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoveryCodes, wordsOn } from './recovery-codes.tsx';
import type { Factors } from './second-factors-card.tsx';

export type Passkey = Factors['passkeys'][number];

/** Adds a passkey: password and name, the browser's question, and recovery codes with the first factor. */
export function AddPasskeySteps({ onClose }: { onClose: () => void }) {
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

export function RenamePasskeyForm(props: { passkey: Passkey; onClose: () => void }) {
  const { id: passkey_id, name } = props.passkey;
  const rename = useChange('PATCH /v1/auth/second-factors/passkeys/{passkey_id}');
  const form = useForm({ initialValues: { name } });
  return (
    <DialogForm
      form={form}
      onSubmit={(body) => rename.mutateAsync({ params: { passkey_id }, body })}
      onDone={props.onClose}
      onClose={props.onClose}
      action="Rename"
    >
      <TextInput
        label="Name"
        maxLength={100}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
