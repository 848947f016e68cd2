import { useDisclosure } from '@mantine/hooks';
import { Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, Suspense, useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { DialogForm, FormDialog, useCloseDialog } from '../../../ui/forms/dialogs.tsx';
import { notify } from '../../../ui/notify.tsx';
import { RowButton } from '../../../ui/buttons.tsx';
import { FactorRow } from './factor-row.tsx';
import { OwnerForm } from './owner-form.tsx';
import type { Factors } from './factors.ts';
import type { Answer } from '../../../api/operations.ts';
import { CopyButton } from '../../../ui/copy.tsx';
import { RecoveryCodes, wordsOn } from './recovery-codes.tsx';

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
        <TotpSteps />
      </FormDialog>
      <FormDialog opened={removing} onClose={removal.close} title="Remove the authenticator app?">
        <OwnerForm
          action="Remove app"
          danger
          onConfirm={async (proof) => {
            await remove.mutateAsync({ body: proof });
            notify.done('The authenticator app was removed.');
          }}
        >
          Logging in no longer takes its codes. Without another second factor, your password alone
          is enough, and your recovery codes are deleted.
        </OwnerForm>
      </FormDialog>
    </>
  );
}

const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })));

type Begun = Answer<'POST /v1/auth/second-factors/totp'>;

/**
 * Sets up an authenticator app in steps: password, secret,
 * code, and recovery codes if the account had no second factor.
 */
function TotpSteps() {
  const close = useCloseDialog();
  const begin = useChange('POST /v1/auth/second-factors/totp', { leaves: true });
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  if (codes !== null) return <RecoveryCodes codes={codes} />;
  if (begun === null) {
    return (
      <OwnerForm
        action="Continue"
        isStep
        onConfirm={async (proof) => setBegun(await begin.mutateAsync({ body: proof }))}
      >
        An app such as Aegis, 1Password or Google Authenticator shows a new code every half minute.
        Logging in then asks for one.
      </OwnerForm>
    );
  }
  return (
    <CodeForm
      begun={begun}
      onDone={(recovery_codes) => {
        notify.done(wordsOn('The app is set up.', recovery_codes));
        if (recovery_codes === null) close();
        else setCodes(recovery_codes);
      }}
    />
  );
}

function CodeForm(props: { begun: Begun; onDone: (recovery_codes: string[] | null) => void }) {
  const { begun, onDone } = props;
  const { challenge, secret, uri } = begun;
  const confirm = useChange('POST /v1/auth/second-factors/totp/confirm');
  const form = useForm({ initialValues: { code: '' } });
  return (
    <DialogForm
      form={form}
      onSubmit={({ code }) => confirm.mutateAsync({ body: { challenge, code } })}
      onDone={({ recovery_codes }) => onDone(recovery_codes)}
      action="Turn on"
      isStep
    >
      <Text size="sm">Scan this with the app, or type the secret below into it.</Text>
      <Suspense fallback={<div style={{ height: 200 }} />}>
        <QrCode text={uri} label="QR code for the authenticator app" />
      </Suspense>
      <div>
        <Text size="sm" fw={500} id="totp-secret">
          Secret
        </Text>
        <Group gap={4} wrap="nowrap">
          <code className="mono name" aria-labelledby="totp-secret" data-testid="totp-secret">
            {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </code>
          <CopyButton text={secret} label="Copy secret" />
        </Group>
      </div>
      <TextInput
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...form.getInputProps('code')}
      />
    </DialogForm>
  );
}
