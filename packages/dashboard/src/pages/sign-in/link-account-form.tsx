import { Anchor, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import { readSecondStep } from '../../api/second-step.ts';
import { OtherWay, SignInForm } from './sign-in-form.tsx';

/** An account whose owner must confirm that an identity may join it. */
export interface UnlinkedAccount {
  challenge: string;
  email: string;
  /** False if nobody has ever proved to own the address. */
  email_verified: boolean;
}

/** Joins the account of the address with the identity that has just logged in. */
export function LinkAccountForm(props: {
  unlinked: UnlinkedAccount;
  onDone: (login: { token: string }) => void;
  /** Meets an error that asks for the second step. */
  onFailure: (error: unknown) => void;
}) {
  const { unlinked, onDone, onFailure } = props;
  const { challenge, email, email_verified } = unlinked;
  const link = useChange('POST /v1/auth/identity/link', { leaves: true });
  const form = useForm({ initialValues: { password: '' } });
  const [isTaking, setTaking] = useState(false);

  const submit = ({ password }: typeof form.values) =>
    link
      .mutateAsync({
        body: { challenge, ...(isTaking ? { discard_password: true } : { password }) },
      })
      .catch((error: unknown) => {
        if (readSecondStep(error) === null) throw error;
        onFailure(error);
      });
  const switchTo = (taking: boolean) => {
    form.clearErrors();
    setTaking(taking);
  };
  const frame = {
    form,
    onSubmit: submit,
    onDone: (login: { token: string } | void) => login && onDone(login),
  };

  if (isTaking) {
    return (
      <SignInForm
        {...frame}
        title="Take this account?"
        lead={
          <>
            Nobody has ever proved to own <b className="name">{email}</b>, so a stranger may have
            registered it. Its password, sessions, second factors and access tokens end. Its games
            stay.
          </>
        }
        action="Take the account"
        others={
          <Anchor component="button" type="button" onClick={() => switchTo(false)}>
            I know its password
          </Anchor>
        }
      />
    );
  }
  return (
    <SignInForm
      {...frame}
      title="Is this account yours?"
      lead={
        <>
          <b className="name">{email}</b> has an account with a password. Enter it once: from then
          on, you log in without it.
        </>
      }
      action="Join the account"
      others={
        <Stack gap="xs" align="flex-start">
          {email_verified ? (
            <OtherWay to="/forgot-password">Forgot your password?</OtherWay>
          ) : (
            <Anchor component="button" type="button" onClick={() => switchTo(true)}>
              I do not know this password
            </Anchor>
          )}
          <OtherWay to="/login">Back to login</OtherWay>
        </Stack>
      }
    >
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        autoFocus
        required
        withAsterisk={false}
        {...form.getInputProps('password')}
      />
    </SignInForm>
  );
}
