import { Alert, Badge, Stack } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/hooks.ts';
import { Card, Loaded } from '../../../ui/page.tsx';
import { AppRow } from './app-row.tsx';
import { PasskeyRows } from './passkey-rows.tsx';
import { FormDialog } from '../../../ui/forms/dialogs.tsx';
import { RowButton } from '../../../ui/buttons.tsx';
import { FactorRow } from './factor-row.tsx';
import { OwnerForm } from './owner-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** The second step of logging in, besides the password. */
export function SecondFactorsCard() {
  const factors = useRead('GET /v1/auth/second-factors', {});
  const isOn = factors.data && (factors.data.totp !== null || factors.data.passkeys.length > 0);
  return (
    <Card
      title="Two-factor login"
      actions={factors.data && <Badge color={isOn ? 'moss' : 'gray'}>{isOn ? 'on' : 'off'}</Badge>}
    >
      <Loaded query={factors}>
        {({ totp, passkeys, recovery_codes_left, is_required }) => (
          <Stack gap="lg">
            {is_required && !isOn && (
              <Alert color="ochre" py="xs" role="status">
                This installation asks for two-factor login. Add an authenticator app or a passkey:
                then the rest of the dashboard opens.
              </Alert>
            )}
            <AppRow totp={totp} />
            <PasskeyRows passkeys={passkeys} />
            {isOn && <RecoveryRow left={recovery_codes_left} />}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

/** With this many codes or fewer left, the page asks the reader to make new ones. */
const FEW = 3;

function RecoveryRow({ left }: { left: number }) {
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
          <RecoveryCodes codes={codes} />
        ) : (
          <OwnerForm
            action="Make new codes"
            isStep
            onConfirm={async (proof) => {
              const made = await make.mutateAsync({ body: proof });
              setCodes(made.recovery_codes);
            }}
          >
            The codes that you have now stop working.
          </OwnerForm>
        )}
      </FormDialog>
    </>
  );
}
