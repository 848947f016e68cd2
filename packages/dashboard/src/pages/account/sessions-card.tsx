import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { BrowserRow, BrowserRows } from './browser-row.tsx';

type Session = Answer<'GET /v1/auth/sessions'>['sessions'][number];

/** Where the account is logged in; each can be logged out from here. */
export function SessionsCard() {
  const sessions = useRead('GET /v1/auth/sessions', {});
  const end = useChange('DELETE /v1/auth/sessions/{session_id}');
  const endOthers = useChange('DELETE /v1/auth/sessions');
  const [sessionToEnd, setSessionToEnd] = useState<Session | null>(null);
  const [leaving, others] = useDisclosure();

  return (
    <Card title="Where you are logged in">
      <Loaded query={sessions}>
        {({ sessions: rows }) => (
          <Stack gap="sm" align="flex-start">
            <BrowserRows label="Sessions">
              {rows.map((row) => (
                <BrowserRow
                  key={row.id}
                  browser={row.browser}
                  isCurrent={row.is_current}
                  action={
                    !row.is_current && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="clay"
                        style={{ flex: 'none' }}
                        aria-label={`Log out ${row.browser}`}
                        onClick={() => setSessionToEnd(row)}
                      >
                        Log out
                      </Button>
                    )
                  }
                >
                  {row.address && `${row.address} · `}
                  {row.is_current ? 'in use' : <LastUse at={row.last_used_at} />} · logged in{' '}
                  <Ago at={row.created_at} />
                </BrowserRow>
              ))}
            </BrowserRows>
            {rows.length > 1 && (
              <Button variant="default" onClick={others.open}>
                Log out everywhere else
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
      <Text size="sm" c="dimmed" mt="sm">
        A session you do not know? Log it out, and change your password.
      </Text>
      <Confirm
        opened={sessionToEnd !== null}
        onClose={() => setSessionToEnd(null)}
        title="Log out this session?"
        action="Log out"
        onConfirm={() => end.mutateAsync({ params: { session_id: sessionToEnd!.id } })}
      >
        <b>{sessionToEnd?.browser}</b>
        {sessionToEnd?.address && ` at ${sessionToEnd.address}`} has to log in again.
      </Confirm>
      <Confirm
        opened={leaving}
        onClose={others.close}
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

const LastUse = ({ at }: { at: string }) => (
  <>
    used <Ago at={at} />
  </>
);
