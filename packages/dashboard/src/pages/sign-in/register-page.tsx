import { PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { ReactNode } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { session } from '../../api/session.ts';
import { Dimmed } from '../../ui/text.tsx';
import { returnPath } from './return-path.ts';
import { EmailInput, OtherWay, PASSWORD_RULE, SignInForm, SignInNote } from './sign-in-form.tsx';
import { Code } from '../../ui/json/code.tsx';

export function Component() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const options = useRead('GET /v1/auth/options', {});
  const register = useChange('POST /v1/auth/register');
  const form = useForm({ initialValues: { email: '', password: '' } });
  // The token in the setup link that the server prints. Whoever registers with this token becomes an
  // administrator.
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

/** Shown on a new installation that was opened without the link that the server printed. */
function SetupNote({ others }: { others: ReactNode }) {
  return (
    <SignInNote title="Set up Overworld" others={others}>
      <Stack gap="sm">
        <Text>
          This installation has no administrator yet. The server printed a link at its start, after{' '}
          <b>Next:</b> in its terminal or log. Open it to make the administrator’s account.
        </Text>
        <Text>To print it again, run this in the folder of Overworld:</Text>
        <Code text="npx overworld setup-link" label="command" />
        <Text>In Docker:</Text>
        <Code
          text={'docker compose exec overworld \\\n  overworld setup-link'}
          label="Docker command"
        />
        <Dimmed>
          The link proves that you run the server. Without it, the first visitor would administer
          all games.
        </Dimmed>
      </Stack>
    </SignInNote>
  );
}
