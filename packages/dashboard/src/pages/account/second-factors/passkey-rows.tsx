import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { passkeysWorkHere } from '../../../api/passkeys.ts';
import { Ago } from '../../../ui/ago.tsx';
import { notify } from '../../../ui/notify.tsx';
import { FactorRow } from './factor-row.tsx';
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import type { Passkey } from './passkey-dialogs.tsx';
import { PasswordDialog } from './password-dialog.tsx';

export function PasskeyRows({ passkeys }: { passkeys: Passkey[] }) {
  const remove = useChange('POST /v1/auth/second-factors/passkeys/{passkey_id}/remove');
  const [adding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [passkeyToRemove, setPasskeyToRemove] = useState<Passkey | null>(null);
  const work = passkeysWorkHere();
  return (
    <>
      <FactorRow
        name="Passkeys"
        actions={
          <Button
            size="compact-sm"
            variant="light"
            disabled={!work}
            onClick={() => setAdding(true)}
          >
            Add a passkey
          </Button>
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
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Rename ${passkey.name}`}
                onClick={() => setRenamed(passkey)}
              >
                Rename
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="clay"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => setPasskeyToRemove(passkey)}
              >
                Remove
              </Button>
            </>
          }
        >
          Added <Ago at={passkey.created_at} />, last used: <Ago at={passkey.last_used_at} />
        </FactorRow>
      ))}
      <AddPasskeyDialog opened={adding} onClose={() => setAdding(false)} />
      <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(null)} />
      <PasswordDialog
        opened={passkeyToRemove !== null}
        onClose={() => setPasskeyToRemove(null)}
        title="Remove this passkey?"
        action="Remove passkey"
        danger
        onConfirm={async ({ password }) => {
          await remove.mutateAsync({
            params: { passkey_id: passkeyToRemove!.id },
            body: { password },
          });
          setPasskeyToRemove(null);
          notify.done('The passkey was removed.');
        }}
      >
        <b>{passkeyToRemove?.name}</b> can no longer be used to log in.
        {passkeys.length === 1 &&
          ' Without another second factor, your password alone is enough, and your recovery codes are deleted.'}
      </PasswordDialog>
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
