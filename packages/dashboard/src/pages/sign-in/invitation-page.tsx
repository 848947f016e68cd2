import { Alert, Anchor, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { gamePath } from '../../shell/game.ts';
import { Lines } from '../../ui/page.tsx';
import { SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const token = search.get('token') ?? '';
  const invitation = useRead('GET /v1/invitations/{token}', { params: { token } });
  const accept = useChange('POST /v1/auth/accept-invitation');
  const form = useForm({ initialValues: { password: '' } });

  if (invitation.isPending) return <Lines count={4} />;
  if (invitation.isError) {
    return (
      <SignInNote
        title="This invitation does not work"
        others={
          <Anchor component={Link} to="/login">
            Log in
          </Anchor>
        }
      >
        It was used or withdrawn, or it has expired. Ask for a new one.
      </SignInNote>
    );
  }
  const { game_name, email, role, invited_by, has_account } = invitation.data;
  return (
    <SignInForm
      title={`Join ${game_name}`}
      lead={
        <>
          {invited_by ? <span className="name">{invited_by}</span> : 'Somebody'} invites you as{' '}
          <b>{role}</b>.
        </>
      }
      form={form}
      onSubmit={({ password }) =>
        accept.mutate(
          { body: { token, password } },
          {
            onSuccess(joined) {
              session.start(joined.token);
              void navigate(gamePath(joined.game_id, 'production'), { replace: true });
            },
            onError: (error) => showFailure(form, error),
          },
        )
      }
      action={has_account ? 'Log in and join' : 'Create account and join'}
      busy={accept.isPending}
    >
      {has_account && (
        <Alert color="lagoon" variant="light" py="xs">
          There is an account for this address: give its password.
        </Alert>
      )}
      <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
      <PasswordInput
        label="Password"
        description={has_account ? undefined : 'At least 8 characters, no other rules'}
        autoComplete={has_account ? 'current-password' : 'new-password'}
        autoFocus
        {...form.getInputProps('password')}
      />
    </SignInForm>
  );
}
