import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Failure, wordsOf } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import { usePasskey } from '../../api/passkeys.ts';
import type { SecondStep } from '../../api/second-step.ts';
import { SignInForm } from './sign-in-form.tsx';
import { formatMinute } from '../../ui/time/format-time.ts';
import { ownZone } from '../../ui/time/own-zone.ts';

/** The second step of a login: a code of the app, a passkey or a recovery code. */
export function SecondStepForm(props: {
  asked: SecondStep;
  onDone: (login: { token: string }) => void;
  /** Goes back to the password form, with the reason in words. */
  onRestart: (words: string | null) => void;
}) {
  const { asked, onDone, onRestart } = props;
  const { methods, challenge, passkey_options } = asked;
  const offers = (method: string) => methods.includes(method);
  const finish = useChange('POST /v1/auth/login/second-factor', { leaves: true });
  const form = useForm({ initialValues: { code: '', recovery_code: '' } });
  const [byRecovery, setByRecovery] = useState(!offers('totp') && !offers('passkey'));
  const [waiting, setWaiting] = useState(false);
  const asksForText = byRecovery || offers('totp');

  const send = (step: { code: string } | { recovery_code: string } | { passkey: object }) =>
    finish.mutate(
      { body: { challenge, ...step } as Parameters<typeof finish.mutate>[0]['body'] },
      {
        onSuccess: onDone,
        onError(error) {
          if (error instanceof Failure && error.code === 'SECOND_FACTOR_EXPIRED') {
            onRestart(wordsOf(error));
            return;
          }
          const field =
            'code' in step ? 'code' : 'recovery_code' in step ? 'recovery_code' : 'form';
          form.setErrors({ [field]: describe(error) });
        },
      },
    );

  const answerByPasskey = async () => {
    form.clearErrors();
    setWaiting(true);
    try {
      send({ passkey: await usePasskey(passkey_options!) });
    } catch (error) {
      form.setErrors({ form: wordsOf(error) });
    } finally {
      setWaiting(false);
    }
  };

  const submit = async ({ code, recovery_code }: typeof form.values) => {
    if (!asksForText) await answerByPasskey();
    else send(byRecovery ? { recovery_code } : { code });
  };

  const switchTo = (recovery: boolean) => {
    form.clearErrors();
    setByRecovery(recovery);
  };

  return (
    <SignInForm
      title="One more step"
      lead={leadOf(byRecovery, offers('totp'), offers('passkey'))}
      form={form}
      onSubmit={submit}
      action={asksForText ? 'Log in' : 'Use a passkey'}
      busy={finish.isPending || waiting}
      others={
        <Stack gap="xs" align="flex-start">
          {!byRecovery && offers('totp') && offers('passkey') && (
            <Button
              variant="default"
              fullWidth
              loading={waiting}
              onClick={() => void answerByPasskey()}
            >
              Use a passkey
            </Button>
          )}
          {byRecovery
            ? (offers('totp') || offers('passkey')) && (
                <Anchor component="button" type="button" onClick={() => switchTo(false)}>
                  Log in another way
                </Anchor>
              )
            : offers('recovery_code') && (
                <Anchor component="button" type="button" onClick={() => switchTo(true)}>
                  Use a recovery code
                </Anchor>
              )}
          <Anchor component="button" type="button" onClick={() => onRestart(null)}>
            Log in as somebody else
          </Anchor>
        </Stack>
      }
    >
      {methods.length === 0 && (
        <Alert color="ochre" py="xs">
          None of your second factors can be used here. Open the dashboard at its usual address, or
          ask an administrator to reset your second factors.
        </Alert>
      )}
      {byRecovery && methods.length > 0 && (
        <TextInput
          key="recovery"
          label="Recovery code"
          placeholder="XXXX-XXXX-XXXX-XXXX"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          {...form.getInputProps('recovery_code')}
        />
      )}
      {!byRecovery && offers('totp') && (
        <TextInput
          key="code"
          label="Code of your authenticator app"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          {...form.getInputProps('code')}
        />
      )}
    </SignInForm>
  );
}

const leadOf = (byRecovery: boolean, hasApp: boolean, hasPasskey: boolean) =>
  byRecovery
    ? 'Enter one of the codes that you kept when you set up two-factor login. It works once.'
    : hasApp
      ? 'Open your authenticator app and enter the six digits that it shows.'
      : hasPasskey
        ? 'Confirm with a passkey that it is you.'
        : undefined;

/** Returns the server's message and, if the account is locked, the time at which the lock ends. */
function describe(error: unknown): string {
  const words = wordsOf(error);
  if (!(error instanceof Failure) || typeof error.body.locked_until !== 'string') return words;
  const time = formatMinute(error.body.locked_until, ownZone);
  return `${words}. Codes count again at ${time}.`;
}
