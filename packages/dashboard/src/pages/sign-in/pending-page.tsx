import { Button, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { wordsOf } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { OtherWay, SignInNote } from './sign-in-form.tsx';

/** Tells the owner of an account that is not active yet how it becomes active. */
export function Component() {
  const [search] = useSearchParams();
  const options = useRead('GET /v1/auth/options', {});
  const resend = useChange('POST /v1/auth/resend-activation');
  const email = search.get('email') ?? '';
  const byMail = options.data?.account_activation === 'email' && options.data.sends_mail;

  return (
    <SignInNote title="Almost there" others={<OtherWay to="/login">Back to login</OtherWay>}>
      {byMail ? (
        <>
          We sent an e-mail to <b className="name">{email}</b>. Open the link in it to activate the
          account.
          <Button
            variant="default"
            mt="md"
            display="block"
            loading={resend.isPending}
            onClick={() => resend.mutate({ body: { email } })}
          >
            Send it again
          </Button>
          {(resend.data || resend.error) && (
            <Text size="sm" mt="xs" role="status">
              {resend.data ? resend.data.message : wordsOf(resend.error)}
            </Text>
          )}
        </>
      ) : (
        <>
          The account <b className="name">{email}</b> exists. An administrator of this installation
          has to activate it; then you can log in.
        </>
      )}
    </SignInNote>
  );
}
