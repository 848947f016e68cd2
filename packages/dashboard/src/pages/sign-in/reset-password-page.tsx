import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/hooks.ts';
import { useLinkToken } from './link-token.ts';
import { OtherWay, PASSWORD_RULE, SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const token = useLinkToken();
  const reset = useChange('POST /v1/auth/reset-password');
  const form = useForm({ initialValues: { password: '' } });

  if (reset.isSuccess) {
    return (
      <SignInNote title="Password changed" others={<OtherWay to="/login">Log in</OtherWay>}>
        Log in with the new password. Other sessions were ended.
      </SignInNote>
    );
  }
  return (
    <SignInForm
      title="Set a new password"
      form={form}
      onSubmit={({ password }) => reset.mutateAsync({ body: { token, password } })}
      action="Set password"
      others={<OtherWay to="/forgot-password">Ask for a new link</OtherWay>}
    >
      <PasswordInput
        label="New password"
        description={PASSWORD_RULE}
        autoComplete="new-password"
        autoFocus
        {...form.getInputProps('password')}
      />
    </SignInForm>
  );
}
