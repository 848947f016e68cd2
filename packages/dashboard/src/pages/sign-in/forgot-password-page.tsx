import { Anchor, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { SignInForm, SignInNote } from './sign-in-form.tsx';

const back = (
  <Anchor component={Link} to="/login">
    Back to login
  </Anchor>
);

export function Component() {
  const request = useChange('POST /v1/auth/forgot-password');
  const form = useForm({ initialValues: { email: '' } });

  if (request.isSuccess) {
    return (
      <SignInNote title="Check your e-mail" others={back}>
        {request.data.message}. The link works once, for one hour.
      </SignInNote>
    );
  }
  return (
    <SignInForm
      title="Reset your password"
      lead="You get an e-mail with a link to set a new one."
      form={form}
      onSubmit={(body) =>
        request.mutate({ body }, { onError: (error) => showFailure(form, error) })
      }
      action="Send the link"
      busy={request.isPending}
      others={back}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus
        {...form.getInputProps('email')}
      />
    </SignInForm>
  );
}
