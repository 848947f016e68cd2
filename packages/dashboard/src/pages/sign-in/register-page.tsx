import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { returnPath } from './return-path.ts';
import { SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const options = useRead('GET /v1/auth/options', {});
  const register = useChange('POST /v1/auth/register');
  const form = useForm({ initialValues: { email: '', password: '' } });
  const isFirst = options.data?.has_accounts === false;
  const needsActivation = !isFirst && options.data?.account_activation !== 'none';

  const submit = (body: typeof form.values) =>
    register.mutate(
      { body },
      {
        onSuccess({ token, user }) {
          if (needsActivation) {
            void navigate(`/pending?email=${encodeURIComponent(user.email)}`);
            return;
          }
          session.start(token);
          void navigate(returnPath(search), { replace: true });
        },
        onError: (error) => showFailure(form, error),
      },
    );

  if (options.data && !options.data.registration_open) {
    return (
      <SignInNote title="Registration is closed" others={<LogInInstead />}>
        Ask an administrator of this installation for an account.
      </SignInNote>
    );
  }

  return (
    <SignInForm
      title={isFirst ? 'Set up Overworld' : 'Create an account'}
      lead={
        isFirst
          ? 'This is a new installation. The first account is its administrator: it sees every game and manages all accounts.'
          : undefined
      }
      form={form}
      onSubmit={submit}
      action="Create account"
      busy={register.isPending}
      others={!isFirst && <LogInInstead />}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        description="At least 8 characters, no other rules"
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...form.getInputProps('password')}
      />
    </SignInForm>
  );
}

function LogInInstead() {
  return (
    <>
      Have an account?{' '}
      <Anchor component={Link} to="/login">
        Log in
      </Anchor>
    </>
  );
}
