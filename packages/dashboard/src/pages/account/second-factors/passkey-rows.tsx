import { Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useForm } from '@mantine/form';
import { useChange } from '../../../api/hooks.ts';
import { makePasskey, passkeysWorkHere } from '../../../api/passkeys.ts';
import { Ago } from '../../../ui/ago.tsx';
import { DialogForm, FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { notify } from '../../../ui/notify.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { FactorRow } from './factor-row.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoveryCodes, wordsOn } from './recovery-codes.tsx';
import type { Factors } from './second-factors-card.tsx';

export function PasskeyRows({ passkeys }: { passkeys: Passkey[] }) {
  const remove = useChange('POST /v1/auth/second-factors/passkeys/{passkey_id}/remove');
  const [adding, addition] = useDisclosure();
  const [passkeyToRename, setPasskeyToRename] = useState<Passkey | null>(null);
  const [passkeyToRemove, setPasskeyToRemove] = useState<Passkey | null>(null);
  const stopRenaming = () => setPasskeyToRename(null);
  const stopRemoving = () => setPasskeyToRemove(null);
  const work = passkeysWorkHere();
  return (
    <>
      <FactorRow
        name="Passkeys"
        actions={
          <RowButton variant="light" disabled={!work} onClick={addition.open}>
            Add a passkey
          </RowButton>
        }
      >
        {work
          ? 'Your device or a security key confirms that it is you. No other site can ask for it.'
          : WHY_NOT}
      </FactorRow>
      {passkeys.map((passkey) => (
        <FactorRow
          key={passkey.id}
          name={passkey.name}
          actions={
            <>
              <RowButton
                aria-label={`Rename ${passkey.name}`}
                onClick={() => setPasskeyToRename(passkey)}
              >
                Rename
              </RowButton>
              <RowButton
                danger
                aria-label={`Remove ${passkey.name}`}
                onClick={() => setPasskeyToRemove(passkey)}
              >
                Remove
              </RowButton>
            </>
          }
        >
          Added <Ago at={passkey.created_at} />, last used: <Ago at={passkey.last_used_at} />
        </FactorRow>
      ))}
      <FormDialog opened={adding} onClose={addition.close} title="New passkey">
        <AddPasskeySteps onClose={addition.close} />
      </FormDialog>
      <FormDialog opened={passkeyToRename !== null} onClose={stopRenaming} title="Rename passkey">
        {passkeyToRename && <RenamePasskeyForm passkey={passkeyToRename} onClose={stopRenaming} />}
      </FormDialog>
      <FormDialog
        opened={passkeyToRemove !== null}
        onClose={stopRemoving}
        title="Remove this passkey?"
      >
        <PasswordForm
          action="Remove passkey"
          danger
          onClose={stopRemoving}
          onConfirm={async ({ password }) => {
            const params = { passkey_id: passkeyToRemove!.id };
            await remove.mutateAsync({ params, body: { password } });
            stopRemoving();
            notify.done('The passkey was removed.');
          }}
        >
          <b>{passkeyToRemove?.name}</b> can no longer be used to log in.
          {passkeys.length === 1 &&
            ' Without another second factor, your password alone is enough, and your recovery codes are deleted.'}
        </PasswordForm>
      </FormDialog>
    </>
  );
}

const WHY_NOT = (
  <Text span inherit>
    Passkeys need a name, not a number, in the address of this page, and https: open the dashboard
    at its https address, or on this machine at http://localhost
    {location.port && `:${location.port}`}.
  </Text>
);

type Passkey = Factors['passkeys'][number];

/** Adds a passkey: password and name, the browser's question, and recovery codes with the first factor. */
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

function RenamePasskeyForm(props: { passkey: Passkey; onClose: () => void }) {
  const { id: passkey_id, name } = props.passkey;
  const rename = useChange('PATCH /v1/auth/second-factors/passkeys/{passkey_id}');
  const form = useForm({ initialValues: { name } });
  return (
    <DialogForm
      form={form}
      onSubmit={(body) => rename.mutateAsync({ params: { passkey_id }, body })}
      onClose={props.onClose}
      action="Rename"
    >
      <TextInput label="Name" maxLength={100} data-autofocus {...form.getInputProps('name')} />
    </DialogForm>
  );
}
