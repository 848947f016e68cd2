import { Badge, Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';
import { tableOf } from '../../ui/tables/paged.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { GamesLimitDialog } from './games-limit-dialog.tsx';
import { KeysMade } from './keys-made.tsx';

type Account = Answer<'GET /v1/admin/users'>['users'][number];
const STATUSES = ['active', 'pending', 'locked'] as const;
const COLORS = { active: 'moss', pending: 'ochre', locked: 'clay' };

const isLocked = ({ status, locked_until }: Account) =>
  status === 'locked' || locked_until !== null;

export function AccountsTab() {
  const { search, set } = useSearchState();
  const me = useRead('GET /v1/auth/me', {});
  const status = STATUSES.find((name) => name === search.get('status'));
  const accounts = usePages('GET /v1/admin/users', {
    query: { search: search.get('search') ?? undefined, status },
  });
  const activate = useChange('POST /v1/admin/users/{account_id}/activate');
  const lock = useChange('POST /v1/admin/users/{account_id}/lock');
  const unlock = useChange('POST /v1/admin/users/{account_id}/unlock');
  const reset = useChange('POST /v1/admin/users/{account_id}/reset-second-factors');
  const [lost, setLost] = useState<Account | null>(null);
  const verify = useChange('POST /v1/admin/users/{account_id}/verify-email');
  const [accountToLock, setAccountToLock] = useState<Account | null>(null);
  const [limited, setLimited] = useState<Account | null>(null);

  const columns: Column<Account>[] = [
    {
      id: 'email',
      head: 'Account',
      value: ({ email }) => email,
      cell: ({ email, is_administrator, has_second_factor }) => (
        <span className="name">
          {email} {is_administrator && <Badge variant="outline">administrator</Badge>}{' '}
          {has_second_factor && (
            <Badge variant="outline" color="gray">
              two-factor
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'status',
      head: 'State',
      cell: (account) => {
        const state = isLocked(account) ? 'locked' : account.status;
        return (
          <Group gap={4} wrap="nowrap">
            <Badge color={COLORS[state]}>{state}</Badge>
            {!account.email_verified && (
              <Badge variant="outline" color="ochre">
                e-mail not verified
              </Badge>
            )}
          </Group>
        );
      },
    },
    {
      id: 'games',
      head: 'Games',
      align: 'end',
      value: ({ game_count }) => game_count,
      cell: ({ game_count }) => game_count,
    },
    {
      id: 'created',
      head: 'Created',
      value: ({ created_at }) => Date.parse(created_at),
      cell: ({ created_at }) => <Ago at={created_at} />,
    },
    {
      id: 'login',
      head: 'Last login',
      value: ({ last_login_at }) => last_login_at && Date.parse(last_login_at),
      cell: ({ last_login_at }) => <Ago at={last_login_at} />,
    },
    {
      id: 'actions',
      head: <span className="visually-hidden">Actions</span>,
      align: 'end',
      cell: (account) => {
        const params = { account_id: account.id };
        const { email } = account;
        return (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {account.status === 'pending' && (
              <Button
                size="compact-sm"
                variant="light"
                aria-label={`Activate ${email}`}
                onClick={() =>
                  activate
                    .mutateAsync({ params })
                    .then(() => notify.done(`${email} is active`))
                    .catch(notify.failed)
                }
              >
                Activate
              </Button>
            )}
            {!account.is_administrator && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Limit of games of ${email}`}
                onClick={() => setLimited(account)}
              >
                Games
              </Button>
            )}
            {!account.email_verified && account.status === 'active' && (
              <Button
                size="compact-sm"
                variant="light"
                aria-label={`Mark the address ${email} as verified`}
                onClick={() =>
                  verify
                    .mutateAsync({ params })
                    .then(() => notify.done(`${email} is verified`))
                    .catch(notify.failed)
                }
              >
                Verify
              </Button>
            )}
            {isLocked(account) && (
              <Button
                size="compact-sm"
                variant="light"
                aria-label={`Unlock ${email}`}
                onClick={() =>
                  unlock
                    .mutateAsync({ params })
                    .then(() => notify.done(`${email} is unlocked`))
                    .catch(notify.failed)
                }
              >
                Unlock
              </Button>
            )}
            {account.has_second_factor && account.id !== me.data?.id && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="clay"
                aria-label={`Reset two-factor login of ${email}`}
                onClick={() => setLost(account)}
              >
                Reset two-factor
              </Button>
            )}
            {account.status !== 'locked' && account.id !== me.data?.id && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="clay"
                aria-label={`Lock ${email}`}
                onClick={() => setAccountToLock(account)}
              >
                Lock
              </Button>
            )}
          </Group>
        );
      },
    },
  ];

  return (
    <Stack gap="sm">
      <Group gap="xs">
        <DebouncedSearch
          label="Search accounts"
          placeholder="E-mail"
          value={search.get('search') ?? ''}
          onChange={(text) => set({ search: text })}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          data={STATUSES}
          value={status ?? null}
          onChange={(value) => set({ status: value })}
          w={140}
        />
      </Group>
      <Card flush>
        <DataTable
          label="Accounts"
          columns={columns}
          {...tableOf(accounts, 'users')}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No such accounts">Try another search.</EmptyState>}
        />
      </Card>
      <GamesLimitDialog account={limited} onClose={() => setLimited(null)} />
      <Confirm
        opened={lost !== null}
        onClose={() => setLost(null)}
        title="Reset two-factor login?"
        action="Remove second factors"
        onConfirm={async () => {
          await reset.mutateAsync({ params: { account_id: lost!.id } });
          notify.done(`${lost!.email} logs in with the password alone now`);
        }}
      >
        The authenticator app, passkeys and recovery codes of <b>{lost?.email}</b> are removed: the
        password alone is enough to log in. Make sure that it is the owner who asks. The owner gets
        an e-mail.
      </Confirm>
      <Confirm
        opened={accountToLock !== null}
        onClose={() => setAccountToLock(null)}
        title="Lock this account?"
        action="Lock account"
        onConfirm={() => lock.mutateAsync({ params: { account_id: accountToLock!.id } })}
      >
        <b>{accountToLock?.email}</b> is logged out everywhere at once, and cannot log in until you
        unlock the account.
        {accountToLock && <KeysMade account_id={accountToLock.id} />}
      </Confirm>
    </Stack>
  );
}
