import { useForm } from '@mantine/form';
import { useChange } from '../../api/hooks.ts';
import { readSecondStep } from '../../api/second-step.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Logs in with a link that the command line of the server has printed. */
export function LoginLinkForm(props: {
  token: string;
  onDone: (login: { token: string }) => void;
  /** Meets an error that asks for the second step. */
  onFailure: (error: unknown) => void;
}) {
  const { token, onDone, onFailure } = props;
  const logIn = useChange('POST /v1/auth/login/link', { leaves: true });
  const form = useForm({ initialValues: {} });
  return (
    <SignInForm
      title="Log in"
      lead="This link logs you in once."
      form={form}
      onSubmit={() =>
        logIn.mutateAsync({ body: { token } }).catch((error: unknown) => {
          if (readSecondStep(error) === null) throw error;
          onFailure(error);
        })
      }
      onDone={(login) => login && onDone(login)}
      action="Log in"
    />
  );
}
