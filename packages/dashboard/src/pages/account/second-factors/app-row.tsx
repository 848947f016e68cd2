import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../../api/hooks.ts';
import { Ago } from '../../../ui/ago.tsx';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { notify } from '../../../ui/notify.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { FactorRow } from './factor-row.tsx';
import { PasswordForm } from './password-form.tsx';
import type { Factors } from './second-factors-card.tsx';
import { TotpSteps } from './totp-steps.tsx';

export function AppRow({ totp }: { totp: Factors['totp'] }) {
  const remove = useChange('POST /v1/auth/second-factors/totp/remove');
  const [settingUp, setup] = useDisclosure();
  const [removing, removal] = useDisclosure();
  return (
    <>
      <FactorRow
        name="Authenticator app"
        actions={
          totp === null ? (
            <RowButton variant="light" onClick={setup.open}>
              Set up an app
            </RowButton>
          ) : (
            <>
              <RowButton onClick={setup.open}>Move to another app</RowButton>
              <RowButton danger aria-label="Remove the authenticator app" onClick={removal.open}>
                Remove
              </RowButton>
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
      <FormDialog opened={settingUp} onClose={setup.close} title="Authenticator app">
        <TotpSteps onClose={setup.close} />
      </FormDialog>
      <FormDialog opened={removing} onClose={removal.close} title="Remove the authenticator app?">
        <PasswordForm
          action="Remove app"
          danger
          onClose={removal.close}
          onConfirm={async ({ password }) => {
            await remove.mutateAsync({ body: { password } });
            removal.close();
            notify.done('The authenticator app was removed.');
          }}
        >
          Logging in no longer takes its codes. Without another second factor, your password alone
          is enough, and your recovery codes are deleted.
        </PasswordForm>
      </FormDialog>
    </>
  );
}
