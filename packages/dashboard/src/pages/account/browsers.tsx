import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange, useRead } from '../../api/hooks.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { Dimmed, RowName } from '../../ui/text.tsx';
import { Confirm, useDialog } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import type { ReactNode } from 'react';
import { RowButton } from '../../ui/buttons.tsx';
import classes from './browser-list.module.css';

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

/** The browsers from which the owner can log in while failed logins of others lock the account. */
export function DevicesCard() {
  const known = useRead('GET /v1/auth/devices', {});
  const forget = useChange('DELETE /v1/auth/devices/{device_id}');
  return (
    <Card title="Known browsers">
      <Dimmed mb="sm">
        When others guess at your password, your account is locked for a while. You can still log in
        from a browser in which you have logged in before.
      </Dimmed>
      <Loaded query={known}>
        {({ devices }) =>
          devices.length === 0 ? (
            <Text size="sm">None yet: a browser is known after its next login.</Text>
          ) : (
            <BrowserList
              label="Known browsers"
              rows={devices}
              describe={({ last_used_at }) => (
                <>
                  last login <Ago at={last_used_at} />
                </>
              )}
              action="Forget"
              offersCurrent
              title="Forget this browser?"
              confirmation="Forget browser"
              consequence="stays logged in. It is known again after its next login."
              onConfirm={(device_id) => forget.mutateAsync({ params: { device_id } })}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

interface Browser {
  id: string;
  browser: string;
  address: string | null;
  is_current: boolean;
}

/** Lists browsers of the account, each with a button that removes it after a confirmation. */
function BrowserList<Row extends Browser>(props: {
  label: string;
  rows: Row[];
  /** Describes when the browser was used. */
  describe: (row: Row) => ReactNode;
  /** The label of the button in each row, such as `Forget`. */
  action: string;
  /** True if the row of the reader's own browser also has the button. */
  offersCurrent: boolean;
  title: string;
  /** The label of the button that confirms, such as `Forget browser`. */
  confirmation: string;
  /**
   * The end of the question that the reader must confirm. The beginning names the browser and its address.
   */
  consequence: string;
  onConfirm: (id: string) => Promise<unknown>;
}) {
  const { label, rows, describe, action, offersCurrent, title, confirmation, consequence } = props;
  const asking = useDialog<Row>();
  return (
    <>
      <ul className={classes.rows} aria-label={label}>
        {rows.map((row) => (
          <li key={row.id} className={classes.row}>
            <div style={{ minWidth: 0 }}>
              <Group gap={8}>
                <RowName>{row.browser}</RowName>
                {row.is_current && (
                  <Badge size="sm" variant="light" color="moss">
                    This browser
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed" component="div" className="name">
                {row.address && `${row.address} · `}
                {describe(row)}
              </Text>
            </div>
            {(offersCurrent || !row.is_current) && (
              <RowButton
                danger
                style={{ flex: 'none' }}
                aria-label={`${action} ${row.browser}`}
                onClick={() => asking.open(row)}
              >
                {action}
              </RowButton>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        {...asking.frame}
        title={title}
        action={confirmation}
        onConfirm={() => props.onConfirm(asking.item!.id)}
      >
        <b>{asking.item?.browser}</b>
        {asking.item?.address && ` at ${asking.item.address}`} {consequence}
      </Confirm>
    </>
  );
}
