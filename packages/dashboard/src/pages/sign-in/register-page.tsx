import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { returnPath } from './return-path.ts';
import { SetupNote } from './setup-note.tsx';
import { SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const options = useRead('GET /v1/auth/options', {});
  const register = useChange('POST /v1/auth/register');
  const form = useForm({ initialValues: { email: '', password: '' } });
  // Of the link that the server printed: it makes the administrator.
  const setup_token = new URLSearchParams(useLocation().hash.slice(1)).get('setup') ?? undefined;
  const isSetup = setup_token !== undefined;
  const needsActivation = !isSetup && options.data?.account_activation !== 'none';

  const submit = (given: typeof form.values) =>
    register.mutate(
      { body: { ...given, setup_token } },
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

  if (options.data && isSetup && options.data.has_administrator) {
    return (
      <SignInNote title="This link was used" others={<LogInInstead />}>
        The installation has an administrator already. The link makes no other.
      </SignInNote>
    );
  }
  if (options.data && !isSetup && !options.data.has_administrator) {
    return <SetupNote others={options.data.has_accounts && <LogInInstead />} />;
  }
  if (options.data && !isSetup && !options.data.registration_open) {
    return (
      <SignInNote title="Registration is closed" others={<LogInInstead />}>
        Ask an administrator of this installation for an account.
      </SignInNote>
    );
  }

  return (
    <SignInForm
      title={isSetup ? 'Set up Overworld' : 'Create an account'}
      lead={
        isSetup
          ? 'This account is the administrator of the installation: it sees every game and manages all accounts.'
          : undefined
      }
      form={form}
      onSubmit={submit}
      action="Create account"
      busy={register.isPending}
      others={!isSetup && <LogInInstead />}
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
        description="At least 8 characters, none of the most common passwords"
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
