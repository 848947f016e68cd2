import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { FactorRow } from './factor-row.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** With this many codes or fewer left, the page asks the reader to make new ones. */
const FEW = 3;

export function RecoveryRow({ left }: { left: number }) {
  const make = useChange('POST /v1/auth/second-factors/recovery-codes');
  const [opened, setOpened] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => {
    setOpened(false);
    setCodes(null);
  };
  return (
    <>
      <FactorRow
        name="Recovery codes"
        actions={<RowButton onClick={() => setOpened(true)}>Make new codes</RowButton>}
      >
        {left} left{left <= FEW && ': make new ones before you need them'}
      </FactorRow>
      <FormDialog opened={opened} onClose={close} title="Recovery codes">
        {codes !== null ? (
          <RecoveryCodes codes={codes} onClose={close} />
        ) : (
          <PasswordForm
            action="Make new codes"
            onClose={close}
            onConfirm={async ({ password }) => {
              const made = await make.mutateAsync({ body: { password } });
              setCodes(made.recovery_codes);
            }}
          >
            The codes that you have now stop working.
          </PasswordForm>
        )}
      </FormDialog>
    </>
  );
}
