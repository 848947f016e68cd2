import { useForm } from '@mantine/form';
import { useChange } from '../../api/hooks.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { useLinkToken } from './link-token.ts';
import { OtherWay, SignInForm, SignInNote } from './sign-in-form.tsx';

/**
 * The page that a mailed link opens to confirm something. The page asks for a click, because some programs
 * open all links in mails to check them, and they must not use up the token.
 */
export function ConfirmLink(props: {
  route: 'POST /v1/auth/activate' | 'POST /v1/auth/verify-email';
  title: string;
  action: string;
  /** The title after the confirmation. */
  doneTitle: string;
  /**
   * The path of the next page. Before the confirmation, a small link leads to it; after the confirmation, a
   * button does.
   */
  to: string;
  link: string;
  button: string;
}) {
  const { route, title, action, doneTitle, to, link, button } = props;
  const token = useLinkToken();
  const confirm = useChange(route);
  const form = useForm({ initialValues: {} });

  if (confirm.isSuccess) {
    return (
      <SignInNote title={doneTitle}>
        <ButtonLink to={to} mt="sm">
          {button}
        </ButtonLink>
      </SignInNote>
    );
  }
  return (
    <SignInForm
      title={title}
      form={form}
      onSubmit={() => confirm.mutateAsync({ body: { token } })}
      action={action}
      others={<OtherWay to={to}>{link}</OtherWay>}
    />
  );
}
