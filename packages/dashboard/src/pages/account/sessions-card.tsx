import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange, useRead } from '../../api/hooks.ts';
import { Ago } from '../../ui/ago.tsx';
import { Dimmed } from '../../ui/text.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { BrowserList } from './browser-list.tsx';

/** The sessions of the account; each can be logged out from here. */
export function SessionsCard() {
  const active = useRead('GET /v1/auth/sessions', {});
  const end = useChange('DELETE /v1/auth/sessions/{session_id}');
  const endOthers = useChange('DELETE /v1/auth/sessions');
  const [asking, question] = useDisclosure();

  return (
    <Card title="Where you are logged in">
      <Loaded query={active}>
        {({ sessions }) => (
          <Stack gap="sm" align="flex-start">
            <BrowserList
              label="Sessions"
              rows={sessions}
              describe={({ is_current, last_used_at, created_at }) => (
                <>
                  {is_current ? 'in use' : 'used '}
                  {!is_current && <Ago at={last_used_at} />} · logged in <Ago at={created_at} />
                </>
              )}
              action="Log out"
              offersCurrent={false}
              title="Log out this session?"
              confirmation="Log out"
              consequence="has to log in again."
              onConfirm={(session_id) => end.mutateAsync({ params: { session_id } })}
            />
            {sessions.length > 1 && (
              <Button variant="default" onClick={question.open}>
                Log out everywhere else
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
      <Dimmed mt="sm">A session you do not know? Log it out, and change your password.</Dimmed>
      <Confirm
        opened={asking}
        onClose={question.close}
        title="Log out everywhere else?"
        action="Log out everywhere else"
        onConfirm={async () => {
          await endOthers.mutateAsync({});
          notify.done('All other sessions were ended');
        }}
      >
        Every other browser has to log in again. This one stays logged in.
      </Confirm>
    </Card>
  );
}
