import { Alert, Button, Group, Text } from '@mantine/core';
import { useChange, useRead, useSendsMail } from '../api/hooks.ts';
import { notify } from './notify.tsx';

/** Asks readers to verify their e-mail address, and has a button that sends the link. */
export function VerifyAddress() {
  const me = useRead('GET /v1/auth/me', {});
  const send = useChange('POST /v1/auth/send-verification');
  const sendsMail = useSendsMail();
  if (me.data === undefined || me.data.email_verified) return null;
  return (
    <Alert color="ochre" title="Your e-mail address is not verified">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px">
          Inviting others needs a verified address.
          {!sendsMail && ' This installation sends no mail: an administrator can verify it.'}
        </Text>
        {sendsMail && (
          <Button
            size="xs"
            variant="default"
            loading={send.isPending}
            disabled={send.isSuccess}
            onClick={() =>
              send.mutate(
                {},
                { onSuccess: ({ message }) => notify.done(message), onError: notify.failed },
              )
            }
          >
            {send.isSuccess ? 'Link sent' : 'Send me the link'}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
