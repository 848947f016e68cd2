import { Alert, Badge, Stack } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { Card, Loaded } from '../../../ui/page.tsx';
import { AppRow } from './app-row.tsx';
import { PasskeyRows } from './passkey-rows.tsx';
import { RecoveryRow } from './recovery-row.tsx';

export type Factors = Answer<'GET /v1/auth/second-factors'>;

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
              <Alert color="ochre" variant="light" py="xs" role="status">
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
