import { Badge, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages, useRead, useSendsMail } from '../../api/hooks.ts';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import {
  actionsColumn,
  agoColumn,
  column,
  memberColumn,
  sortedColumn,
} from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { GamesLimitForm, KeysMade, MakeAccount, ResetLink } from './account-dialogs.tsx';
import type { Account } from './account.ts';

const COLORS = { active: 'moss', pending: 'ochre', locked: 'clay' };
const STATUSES = Object.keys(COLORS) as Account['status'][];

const isLocked = ({ status, locked_until }: Account) =>
  status === 'locked' || locked_until !== null;

export function AccountsTab() {
  const { search, set } = useSearchState();
  const me = useRead('GET /v1/auth/me', {});
  const status = STATUSES.find((name) => name === search.get('status'));
  const accounts = usePages('GET /v1/admin/users', {
    query: { search: search.get('search') ?? undefined, status },
  });
  const verify = useChange('POST /v1/admin/users/{account_id}/verify-email');
  const activate = useChange('POST /v1/admin/users/{account_id}/activate');
  const lock = useChange('POST /v1/admin/users/{account_id}/lock');
  const unlock = useChange('POST /v1/admin/users/{account_id}/unlock');
  const reset = useChange('POST /v1/admin/users/{account_id}/reset-second-factors');
  const sendsMail = useSendsMail();
  const [accountToLink, setAccountToLink] = useState<Account | null>(null);
  const resetting = useDialog<Account>();
  const locking = useDialog<Account>();
  const limiting = useDialog<Account>();

  const columns: Column<Account>[] = [
    sortedColumn('email', 'Account', ({ email, is_administrator, has_second_factor }) => (
      <span className="name">
        {email} {is_administrator && <Badge variant="outline">administrator</Badge>}{' '}
        {has_second_factor && (
          <Badge variant="outline" color="gray">
            two-factor
          </Badge>
        )}
      </span>
    )),
    column('status', 'State', (account) => {
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
    }),
    memberColumn('game_count', 'Games'),
    agoColumn('created_at', 'Created'),
    agoColumn('last_login_at', 'Last login'),
    actionsColumn((account) => {
      const params = { account_id: account.id };
      const { email } = account;
      const isOther = account.id !== me.data?.id;
      return (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {account.status === 'pending' && (
            <RowButton
              variant="light"
              aria-label={`Activate ${email}`}
              onClick={() => notify.outcome(activate.mutateAsync({ params }), `${email} is active`)}
            >
              Activate
            </RowButton>
          )}
          {!account.is_administrator && (
            <RowButton
              aria-label={`Limit of games of ${email}`}
              onClick={() => limiting.open(account)}
            >
              Games
            </RowButton>
          )}
          {!account.email_verified && account.status === 'active' && (
            <RowButton
              variant="light"
              aria-label={`Mark the address ${email} as verified`}
              onClick={() => notify.outcome(verify.mutateAsync({ params }), `${email} is verified`)}
            >
              Verify
            </RowButton>
          )}
          {isLocked(account) && (
            <RowButton
              variant="light"
              aria-label={`Unlock ${email}`}
              onClick={() => notify.outcome(unlock.mutateAsync({ params }), `${email} is unlocked`)}
            >
              Unlock
            </RowButton>
          )}
          {!sendsMail && (
            <RowButton
              aria-label={`Reset password of ${email}`}
              onClick={() => setAccountToLink(account)}
            >
              Reset password
            </RowButton>
          )}
          {account.has_second_factor && isOther && (
            <RowButton
              danger
              aria-label={`Reset two-factor login of ${email}`}
              onClick={() => resetting.open(account)}
            >
              Reset two-factor
            </RowButton>
          )}
          {account.status !== 'locked' && isOther && (
            <RowButton danger aria-label={`Lock ${email}`} onClick={() => locking.open(account)}>
              Lock
            </RowButton>
          )}
        </Group>
      );
    }),
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
        <MakeAccount />
      </Group>
      <TableCard
        label="Accounts"
        columns={columns}
        {...tableOf(accounts, 'users')}
        rowKey={({ id }) => id}
        emptyTitle="No such accounts"
        emptyWords="Try another search."
      />
      <FormDialog {...limiting.frame} title="Games of this account">
        {limiting.item && <GamesLimitForm account={limiting.item} />}
      </FormDialog>
      <ResetLink account={accountToLink} onClose={() => setAccountToLink(null)} />
      <Confirm
        {...resetting.frame}
        title="Reset two-factor login?"
        action="Remove second factors"
        onConfirm={async () => {
          await reset.mutateAsync({ params: { account_id: resetting.item!.id } });
          notify.done(`${resetting.item!.email} logs in with the password alone now`);
        }}
      >
        The authenticator app, passkeys and recovery codes of <b>{resetting.item?.email}</b> are
        removed: the password alone is enough to log in. Make sure that it is the owner who asks.
        {sendsMail && ' The owner gets an e-mail.'}
      </Confirm>
      <Confirm
        {...locking.frame}
        title="Lock this account?"
        action="Lock account"
        onConfirm={() => lock.mutateAsync({ params: { account_id: locking.item!.id } })}
      >
        <b>{locking.item?.email}</b> is logged out everywhere at once, and cannot log in until you
        unlock the account. Its access tokens are revoked for good.
        {locking.item && <KeysMade account_id={locking.item.id} />}
      </Confirm>
    </Stack>
  );
}
