import { Anchor, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useSearchParams } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const reset = useChange('POST /v1/auth/reset-password');
  const form = useForm({ initialValues: { password: '' } });
  const token = search.get('token') ?? '';

  if (reset.isSuccess) {
    return (
      <SignInNote
        title="Password changed"
        others={
          <Anchor component={Link} to="/login">
            Log in
          </Anchor>
        }
      >
        Log in with the new password. Other sessions were ended.
      </SignInNote>
    );
  }
  return (
    <SignInForm
      title="Set a new password"
      form={form}
      onSubmit={({ password }) =>
        reset.mutate(
          { body: { token, password } },
          { onError: (error) => showFailure(form, error) },
        )
      }
      action="Set password"
      busy={reset.isPending}
      others={
        <Anchor component={Link} to="/forgot-password">
          Ask for a new link
        </Anchor>
      }
    >
      <PasswordInput
        label="New password"
        description="At least 8 characters, none of the most common passwords"
        autoComplete="new-password"
        autoFocus
        {...form.getInputProps('password')}
      />
    </SignInForm>
  );
}
