import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { passkeysWorkHere } from '../../../api/passkeys.ts';
import { Ago } from '../../../ui/ago.tsx';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { notify } from '../../../ui/notify.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { FactorRow } from './factor-row.tsx';
import { AddPasskeySteps, RenamePasskeyForm } from './passkey-forms.tsx';
import type { Passkey } from './passkey-forms.tsx';
import { PasswordForm } from './password-form.tsx';

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
