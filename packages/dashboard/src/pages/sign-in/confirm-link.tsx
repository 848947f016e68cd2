import { useForm } from '@mantine/form';
import { useSearchParams } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { OtherWay, SignInForm, SignInNote } from './sign-in-form.tsx';

/**
 * The page of a mailed link that confirms something. It asks for a click, because programs that
 * check the links in mails must not use up the token.
 */
export function ConfirmLink(props: {
  route: 'POST /v1/auth/activate' | 'POST /v1/auth/verify-email';
  title: string;
  action: string;
  /** The title once the link is confirmed. */
  doneTitle: string;
  /** The path of the next page. A link leads there at first, and a button once the link is confirmed. */
  to: string;
  link: string;
  button: string;
}) {
  const { route, title, action, doneTitle, to, link, button } = props;
  const [search] = useSearchParams();
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
      onSubmit={() => confirm.mutateAsync({ body: { token: search.get('token') ?? '' } })}
      action={action}
      others={<OtherWay to={to}>{link}</OtherWay>}
    />
  );
}
