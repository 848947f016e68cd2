import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { session } from '../../api/session.ts';
import { returnPath } from './return-path.ts';
import { SetupNote } from './setup-note.tsx';
import { EmailInput, OtherWay, PASSWORD_RULE, SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const options = useRead('GET /v1/auth/options', {});
  const register = useChange('POST /v1/auth/register');
  const form = useForm({ initialValues: { email: '', password: '' } });
  // A link that the server prints has this token. The account made with it is the administrator.
  const setup_token = new URLSearchParams(useLocation().hash.slice(1)).get('setup') ?? undefined;
  const isSetup = setup_token !== undefined;
  const needsActivation = !isSetup && options.data?.account_activation !== 'none';

  const enter = ({ token, user }: Answer<'POST /v1/auth/register'>) => {
    if (needsActivation) {
      void navigate(`/pending?email=${encodeURIComponent(user.email)}`);
      return;
    }
    session.start(token);
    void navigate(returnPath(search), { replace: true });
  };

  if (options.data && isSetup && options.data.has_administrator) {
    return (
      <SignInNote title="This link was used" others={logInInstead}>
        The installation has an administrator already. The link makes no other.
      </SignInNote>
    );
  }
  if (options.data && !isSetup && !options.data.has_administrator) {
    return <SetupNote others={options.data.has_accounts && logInInstead} />;
  }
  if (options.data && !isSetup && !options.data.registration_open) {
    return (
      <SignInNote title="Registration is closed" others={logInInstead}>
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
      onSubmit={(given) => register.mutateAsync({ body: { ...given, setup_token } })}
      onDone={enter}
      action="Create account"
      others={!isSetup && logInInstead}
    >
      <EmailInput {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        description={PASSWORD_RULE}
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...form.getInputProps('password')}
      />
    </SignInForm>
  );
}

const logInInstead = (
  <>
    Have an account? <OtherWay to="/login">Log in</OtherWay>
  </>
);
