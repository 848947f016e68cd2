import { Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, Suspense, useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { CopyButton } from '../../../ui/copy.tsx';
import { DialogForm } from '../../../ui/forms/form-dialog.tsx';
import { notify } from '../../../ui/notify.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoveryCodes, wordsOn } from './recovery-codes.tsx';

const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })));

type Begun = Answer<'POST /v1/auth/second-factors/totp'>;

/** Sets an authenticator app up: password, secret, code, and recovery codes with the first factor. */
export function TotpSteps({ onClose }: { onClose: () => void }) {
  const begin = useChange('POST /v1/auth/second-factors/totp', { leaves: true });
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  if (codes !== null) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (begun === null) {
    return (
      <PasswordForm
        action="Continue"
        onClose={onClose}
        onConfirm={async ({ password }) =>
          setBegun(await begin.mutateAsync({ body: { password } }))
        }
      >
        An app such as Aegis, 1Password or Google Authenticator shows a new code every half minute.
        Logging in then asks for one.
      </PasswordForm>
    );
  }
  return (
    <CodeForm
      begun={begun}
      onClose={onClose}
      onDone={(recovery_codes) => {
        notify.done(wordsOn('The app is set up.', recovery_codes));
        if (recovery_codes === null) onClose();
        else setCodes(recovery_codes);
      }}
    />
  );
}

function CodeForm(props: {
  begun: Begun;
  onClose: () => void;
  onDone: (recovery_codes: string[] | null) => void;
}) {
  const { begun, onClose, onDone } = props;
  const { challenge, secret, uri } = begun;
  const confirm = useChange('POST /v1/auth/second-factors/totp/confirm');
  const form = useForm({ initialValues: { code: '' } });
  return (
    <DialogForm
      form={form}
      onSubmit={({ code }) => confirm.mutateAsync({ body: { challenge, code } })}
      onDone={({ recovery_codes }) => onDone(recovery_codes)}
      onClose={onClose}
      action="Turn on"
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
