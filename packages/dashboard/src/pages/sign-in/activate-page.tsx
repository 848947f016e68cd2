import { Anchor, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useSearchParams } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const activate = useChange('POST /v1/auth/activate');
  const form = useForm({ initialValues: {} });

  if (activate.isSuccess) {
    return (
      <SignInNote title="Your account is active">
        <Button component={Link} to="/login" mt="sm">
          Log in
        </Button>
      </SignInNote>
    );
  }
  // By a button: programs that check the links in mails must not use the token up.
  return (
    <SignInForm
      title="Activate your account"
      form={form}
      onSubmit={() =>
        activate.mutate(
          { body: { token: search.get('token') ?? '' } },
          { onError: (error) => showFailure(form, error) },
        )
      }
      action="Activate"
      busy={activate.isPending}
      others={
        <Anchor component={Link} to="/login">
          Back to login
        </Anchor>
      }
    >
      {null}
    </SignInForm>
  );
}
