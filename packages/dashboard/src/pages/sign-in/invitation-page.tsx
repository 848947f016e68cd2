import { Alert, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { foldText } from '@overworld/contract/fold-text';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { readSecondStep } from '../../api/second-step.ts';
import type { SecondStep } from '../../api/second-step.ts';
import { session } from '../../api/session.ts';
import { gamePath } from '../../shell/game.ts';
import { Lines } from '../../ui/page.tsx';
import { IdentityButton } from './identity-button.tsx';
import { useLinkToken } from './link-token.ts';
import { SecondStepForm } from './second-step-form.tsx';
import { OtherWay, PASSWORD_RULE, SignInForm, SignInNote } from './sign-in-form.tsx';

type Invitation = Answer<'GET /v1/invitations/{token}'>;

/** The page that the link of an invitation opens. */
export function Component() {
  const token = useLinkToken();
  const invitation = useRead('GET /v1/invitations/{token}', { params: { token } });
  const me = useRead('GET /v1/auth/me', {}, { enabled: session.token !== null });

  if (invitation.isPending || me.isLoading) return <Lines count={4} />;
  if (invitation.isError) {
    return (
      <SignInNote
        title="This invitation does not work"
        others={
          <OtherWay to={session.token === null ? '/login' : '/'}>
            {session.token === null ? 'Log in' : 'To your games'}
          </OtherWay>
        }
      >
        It was used or withdrawn, or it has expired. Ask for a new one.
      </SignInNote>
    );
  }
  const isInvited = foldText(me.data?.email ?? '') === foldText(invitation.data.email);
  return isInvited ? (
    <JoinByClick token={token} invitation={invitation.data} />
  ) : (
    <JoinByPassword token={token} invitation={invitation.data} loggedInAs={me.data?.email} />
  );
}

function Lead({ invitation: { invited_by, role } }: { invitation: Invitation }) {
  return (
    <>
      {invited_by ? <span className="name">{invited_by}</span> : 'Somebody'} invited you as{' '}
      <b>{role}</b>.
    </>
  );
}

/** Shown to a reader who is logged in with the invited e-mail address. */
function JoinByClick({ token, invitation }: { token: string; invitation: Invitation }) {
  const navigate = useNavigate();
  const join = useChange('POST /v1/invitations/{token}/accept', { leaves: true });
  const form = useForm({ initialValues: {} });
  return (
    <SignInForm
      title={`Join ${invitation.game_name}`}
      lead={<Lead invitation={invitation} />}
      form={form}
      onSubmit={() => join.mutateAsync({ params: { token } })}
      onDone={({ game_id }) => navigate(gamePath(game_id, 'production'), { replace: true })}
      action="Join"
      others={<OtherWay to="/">Not now</OtherWay>}
    >
      <Text size="sm">
        You are logged in as <b className="name">{invitation.email}</b>.
      </Text>
    </SignInForm>
  );
}

function JoinByPassword(props: {
  token: string;
  invitation: Invitation;
  /** The e-mail address of the reader who is logged in with another account. */
  loggedInAs: string | undefined;
}) {
  const { token, invitation, loggedInAs } = props;
  const { game_name, email, has_account } = invitation;
  const navigate = useNavigate();
  const accept = useChange('POST /v1/auth/accept-invitation', { leaves: true });
  const join = useChange('POST /v1/invitations/{token}/accept', { leaves: true });
  const form = useForm({ initialValues: { password: '' } });
  const [asked, setAsked] = useState<SecondStep | null>(null);
  const provider = useRead('GET /v1/auth/options', {}).data?.identity_provider;
  const { pathname, search, hash } = useLocation();
  const identityButton = provider && (
    <IdentityButton name={provider.name} purpose="login" to={pathname + search + hash} />
  );

  const enter = (game_id: string) => {
    // The new account must not see data that was loaded for another account.
    queryClient.clear();
    void navigate(gamePath(game_id, 'production'), { replace: true });
  };

  const submit = ({ password }: typeof form.values) =>
    accept.mutateAsync({ body: { token, password } }).catch((error: unknown) => {
      const step = readSecondStep(error);
      if (step === null) throw error;
      setAsked(step);
    });

  if (asked !== null) {
    return (
      <SecondStepForm
        asked={asked}
        onDone={(login) => {
          session.start(login.token);
          join.mutate(
            { params: { token } },
            {
              onSuccess: ({ game_id }) => enter(game_id),
              onError: (error) => {
                setAsked(null);
                showFailure(form, error);
              },
            },
          );
        }}
        onRestart={(words) => {
          setAsked(null);
          if (words !== null) form.setErrors({ form: words });
        }}
      />
    );
  }
  if (provider?.only === true) {
    return (
      <SignInNote title={`Join ${game_name}`}>
        <Stack gap="md">
          <div>
            <Lead invitation={invitation} /> Log in as <b className="name">{email}</b> to join.
          </div>
          {identityButton}
        </Stack>
      </SignInNote>
    );
  }
  return (
    <SignInForm
      title={`Join ${game_name}`}
      lead={<Lead invitation={invitation} />}
      form={form}
      onSubmit={submit}
      onDone={(joined) => {
        if (!joined) return;
        session.start(joined.token);
        enter(joined.game_id);
      }}
      action={has_account ? 'Log in and join' : 'Create account and join'}
      others={identityButton}
    >
      {loggedInAs && (
        <Alert color="ochre" py="xs">
          You are logged in as <b className="name">{loggedInAs}</b>. The invitation is for another
          address; joining logs you in with that one.
        </Alert>
      )}
      {has_account && (
        <Alert color="lagoon" py="xs">
          This address has an account. Enter its password.
        </Alert>
      )}
      <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
      <PasswordInput
        label="Password"
        description={has_account ? undefined : PASSWORD_RULE}
        autoComplete={has_account ? 'current-password' : 'new-password'}
        autoFocus
        {...form.getInputProps('password')}
      />
    </SignInForm>
  );
}
