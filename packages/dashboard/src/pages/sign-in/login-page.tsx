import { Alert, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { Failure } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { readSecondStep } from '../../api/second-step.ts';
import type { SecondStep } from '../../api/second-step.ts';
import { session } from '../../api/session.ts';
import { TextLink } from '../../ui/links.tsx';
import { IdentityButton } from './identity-button.tsx';
import { LoginLinkForm } from './login-link-form.tsx';
import { returnPath } from './return-path.ts';
import { SecondStepForm } from './second-step-form.tsx';
import { EmailInput, OtherWay, SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const options = useRead('GET /v1/auth/options', {});
  const logIn = useChange('POST /v1/auth/login');
  const form = useForm({ initialValues: { email: '', password: '' } });
  const [asked, setAsked] = useState<SecondStep | null>(null);

  // The token in a link that the command line of the server has printed.
  const link = new URLSearchParams(useLocation().hash.slice(1)).get('link');

  if (options.data?.has_accounts === false) return <Navigate to="/register" replace />;

  const provider = options.data?.identity_provider;
  const identityButton = provider && (
    <IdentityButton name={provider.name} purpose="login" to={returnPath(search)} />
  );

  const enter = ({ token }: { token: string }) => {
    session.start(token);
    void navigate(returnPath(search), { replace: true });
  };

  const submit = (body: typeof form.values) =>
    logIn.mutateAsync({ body }).catch((error: unknown) => {
      const step = readSecondStep(error);
      if (step !== null) setAsked(step);
      else if (error instanceof Failure && error.code === 'ACCOUNT_PENDING') {
        void navigate(`/pending?email=${encodeURIComponent(body.email)}`);
      } else throw error;
    });

  if (asked !== null) {
    return (
      <SecondStepForm
        asked={asked}
        onDone={enter}
        onRestart={(words) => {
          setAsked(null);
          form.setFieldValue('password', '');
          if (words !== null) form.setErrors({ form: words });
        }}
      />
    );
  }
  if (link !== null) {
    return (
      <LoginLinkForm
        token={link}
        onDone={enter}
        onFailure={(error) => setAsked(readSecondStep(error))}
      />
    );
  }
  if (provider?.only === true) return <SignInNote title="Log in">{identityButton}</SignInNote>;
  return (
    <SignInForm
      title="Log in"
      form={form}
      onSubmit={submit}
      onDone={(login) => login && enter(login)}
      action="Log in"
      others={
        <Stack gap="md">
          {identityButton}
          {options.data?.registration_open && (
            <div>
              No account yet? <OtherWay to={`/register?${search}`}>Create one</OtherWay>
            </div>
          )}
        </Stack>
      }
    >
      {search.has('expired') && Object.keys(form.errors).length === 0 && (
        <Alert color="ochre" py="xs" role="status">
          Your session has ended. Log in to continue where you left off.
        </Alert>
      )}
      <EmailInput {...form.getInputProps('email')} />
      <div>
        <Group justify="space-between" mb={2}>
          <label htmlFor="password" style={{ fontSize: 14, fontWeight: 500 }}>
            Password
          </label>
          <TextLink to="/forgot-password">Forgot it?</TextLink>
        </Group>
        <PasswordInput
          id="password"
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
      </div>
    </SignInForm>
  );
}
