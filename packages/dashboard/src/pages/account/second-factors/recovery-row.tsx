import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { FactorRow } from './factor-row.tsx';
import { PasswordForm } from './password-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Below this, it is time for new ones. */
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
        actions={
          <Button size="compact-sm" variant="subtle" onClick={() => setOpened(true)}>
            Make new codes
          </Button>
        }
      >
        {left} left{left <= FEW && ': make new ones before you need them'}
      </FactorRow>
      <Modal opened={opened} onClose={close} title="Recovery codes" closeOnClickOutside={false}>
        {codes !== null ? (
          <RecoveryCodes codes={codes} onClose={close} />
        ) : (
          opened && (
            <PasswordForm
              action="Make new codes"
              onClose={close}
              onConfirm={async ({ password }) => {
                const made = await make.mutateAsync({ body: { password } });
                setCodes(made.recovery_codes);
              }}
            >
              The codes that you have now stop to work.
            </PasswordForm>
          )
        )}
      </Modal>
    </>
  );
}
