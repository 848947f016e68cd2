import { useForm } from '@mantine/form';
import { useChange, useSendsMail } from '../../api/hooks.ts';
import { EmailInput, OtherWay, SignInForm, SignInNote } from './sign-in-form.tsx';

const back = <OtherWay to="/login">Back to login</OtherWay>;

export function Component() {
  const request = useChange('POST /v1/auth/forgot-password');
  const sendsMail = useSendsMail();
  const form = useForm({ initialValues: { email: '' } });

  if (!sendsMail) {
    return (
      <SignInNote title="Reset your password" others={back}>
        This installation sends no mail. An administrator can make you a link to set a new password.
      </SignInNote>
    );
  }
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
      onSubmit={(body) => request.mutateAsync({ body })}
      action="Send the link"
      others={back}
    >
      <EmailInput {...form.getInputProps('email')} />
    </SignInForm>
  );
}
