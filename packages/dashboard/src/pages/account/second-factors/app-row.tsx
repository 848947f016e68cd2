import { Button } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { Ago } from '../../../ui/ago.tsx';
import { notify } from '../../../ui/notify.tsx';
import { FactorRow } from './factor-row.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import type { Factors } from './second-factors-card.tsx';
import { TotpDialog } from './totp-dialog.tsx';

export function AppRow({ totp }: { totp: Factors['totp'] }) {
  const remove = useChange('POST /v1/auth/second-factors/totp/remove');
  const [settingUp, setSettingUp] = useState(false);
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <FactorRow
        name="Authenticator app"
        actions={
          totp === null ? (
            <Button size="compact-sm" variant="light" onClick={() => setSettingUp(true)}>
              Set up an app
            </Button>
          ) : (
            <>
              <Button size="compact-sm" variant="subtle" onClick={() => setSettingUp(true)}>
                Move to another app
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="clay"
                aria-label="Remove the authenticator app"
                onClick={() => setRemoving(true)}
              >
                Remove
              </Button>
            </>
          )
        }
      >
        {totp === null ? (
          'An app on your phone shows a code for each login.'
        ) : (
          <>
            Last used: <Ago at={totp.last_used_at} />
          </>
        )}
      </FactorRow>
      <TotpDialog opened={settingUp} onClose={() => setSettingUp(false)} />
      <PasswordDialog
        opened={removing}
        onClose={() => setRemoving(false)}
        title="Remove the authenticator app?"
        action="Remove app"
        danger
        onConfirm={async ({ password }) => {
          await remove.mutateAsync({ body: { password } });
          setRemoving(false);
          notify.done('The authenticator app was removed.');
        }}
      >
        Logging in no longer takes its codes. Without another second factor, your password alone is
        enough, and your recovery codes are deleted.
      </PasswordDialog>
    </>
  );
}
