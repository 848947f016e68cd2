import { Anchor, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useSearchParams } from 'react-router';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { SignInForm, SignInNote } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const verify = useChange('POST /v1/auth/verify-email');
  const form = useForm({ initialValues: {} });

  if (verify.isSuccess) {
    return (
      <SignInNote title="Your address is verified">
        <Button component={Link} to="/" mt="sm">
          Go to your games
        </Button>
      </SignInNote>
    );
  }
  // By a button: programs that check the links in mails must not use the token up.
  return (
    <SignInForm
      title="Verify your e-mail address"
      form={form}
      onSubmit={() =>
        verify.mutate(
          { body: { token: search.get('token') ?? '' } },
          { onError: (error) => showFailure(form, error) },
        )
      }
      action="Verify the address"
      busy={verify.isPending}
      others={
        <Anchor component={Link} to="/">
          Go to your games
        </Anchor>
      }
    >
      {null}
    </SignInForm>
  );
}
