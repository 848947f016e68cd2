import type { AuditAction } from '@overworld/contract/games/audit-actions';
import type { Account, AccountStatus } from '@overworld/contract/accounts/account';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { revokeTokensOf } from '../../platform/auth/access-tokens.ts';
import { readEmail } from '../../platform/auth/email.ts';
import { makeRandomToken } from '../../platform/auth/random-token.ts';
import { hasSecondFactor } from '../../platform/auth/second-factor-policy.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/client.ts';
import { isUuid } from '../../platform/http/validation.ts';
import { postActivatedMail, postLinkMail } from './links/account-mails.ts';
import { replaceAccountTokens } from './links/account-tokens.ts';
import { deleteLoginFailures } from './login/login-failures.ts';
import type { Passwords } from './passwords/passwords.ts';
import { createAccount } from './registration/registration.ts';
import { markEmailVerified, unlockStatus, updateStatus } from './store.ts';

const listedAccounts = sql`
  SELECT id, accounts.email, status, is_administrator, created_at, last_login_at,
         ${hasSecondFactor} AS has_second_factor,
         is_administrator OR email_verified_at IS NOT NULL AS email_verified,
         CASE WHEN locked_until > now() THEN locked_until END AS locked_until,
         (SELECT count(*) FROM game_members WHERE account_id = accounts.id) AS game_count,
         max_free_games
  FROM accounts
  LEFT JOIN login_failures ON login_failures.email = fold_text(accounts.email)`;

/** Lists up to `limit` accounts in the order of their e-mails, after the account `after`. */
export async function listAccounts(
  database: Queryable,
  filter: { search?: string; status?: AccountStatus },
  page: { limit: number; after: { email: string } | null },
): Promise<Account[]> {
  const { search, status } = filter;
  const conditions = [sql`true`];
  if (search) conditions.push(sql`position(fold_text(${search}) IN fold_text(accounts.email)) > 0`);
  if (status) conditions.push(sql`status = ${status}`);
  if (page.after) {
    conditions.push(sql`fold_text(accounts.email) COLLATE "C" > fold_text(${page.after.email})`);
  }
  return database.query<Account>(sql`
    ${listedAccounts}
    WHERE ${joinSql(conditions, ' AND ')}
    ORDER BY fold_text(accounts.email) COLLATE "C"
    LIMIT ${page.limit}`);
}

/** @throws ApiError 404 when there is no such account. */
async function getAccount(database: Queryable, account_id: string): Promise<Account> {
  const account = isUuid(account_id)
    ? await database.queryOne<Account>(sql`${listedAccounts} WHERE id = ${account_id}`)
    : null;
  if (account === null) throw notFound('Account not found');
  return account;
}

/**
 * Changes an account, and records the change in the audit log.
 * @param change Makes the change. Returns the details for the audit log, or null if nothing has changed.
 * @returns the account after the change.
 * @throws ApiError 404 when there is no such account, and the errors of `change`.
 */
async function changeAccount(
  { database, actor, account_id }: AccountChange,
  action: AuditAction,
  change: (tx: Queryable, account: Account) => Promise<Record<string, unknown> | null>,
): Promise<Account> {
  return database.transaction(async (tx) => {
    const account = await getAccount(tx, account_id);
    const { id, email: target } = account;
    const details = await change(tx, account);
    if (details !== null) {
      await insertAuditEntry(tx, { actor, game_id: null }, action, target, details);
    }
    return getAccount(tx, id);
  });
}

/** The account to change, and the administrator who changes it. */
export interface AccountChange {
  database: Database;
  actor: Actor;
  account_id: string;
}

/**
 * Makes an active account, whose owner sets the password by a link.
 * @param link.sends_mail True if the link is mailed; otherwise the answer has it.
 * @throws ApiError 400 for an invalid e-mail, 409 when the e-mail has an account.
 */
export async function makeAccount(
  services: { database: Database; passwords: Passwords; actor: Actor },
  given: { email: string },
  client: Client,
  { sends_mail, public_url }: { sends_mail: boolean; public_url: string },
): Promise<Account & { link: string | null; link_expires_at: string | null }> {
  const { database, passwords, actor } = services;
  const email = readEmail(given.email);
  // Nobody knows this password, so only the link opens the account.
  const password_hash = await passwords.use({ ip: client.ip, email }, ({ hash }) =>
    hash(makeRandomToken()),
  );
  return database.transaction(async (tx) => {
    const { id } = await createAccount(
      tx,
      { email, password_hash, is_administrator: false, has_password: false },
      actor,
    );
    const account = await getAccount(tx, id);
    if (sends_mail) {
      await postLinkMail(tx, 'welcome', { account_id: id }, client);
      return { ...account, link: null, link_expires_at: null };
    }
    const { token, expires_at } = await replaceAccountTokens(tx, id, 'reset_password');
    return { ...account, link: resetLink(public_url, token), link_expires_at: expires_at };
  });
}

/**
 * Activates a pending account, and tells its owner by mail; an active account stays as it is.
 * @throws ApiError 404 when there is no such account, 409 when it is locked.
 */
export async function activateAccount(request: AccountChange): Promise<Account> {
  const account = await changeAccount(request, 'activate_account', async (tx, { id }) => {
    if (!(await updateStatus(tx, id, 'pending', 'active'))) return null;
    await postActivatedMail(tx, id, request.actor.ip);
    return {};
  });
  if (account.status === 'locked') throw conflict('This account is locked: unlock it');
  return account;
}

/**
 * Locks an account: its sessions and logins are refused until it is unlocked. Its access tokens are revoked for
 * good, because a thief may have made them.
 * @throws ApiError 404 when there is no such account, 409 for the caller's own account and for the last
 * administrator.
 */
export const lockAccount = (request: AccountChange): Promise<Account> =>
  changeAccount(request, 'lock_account', async (tx, { id }) => {
    if (id === request.actor.account?.account_id) {
      throw conflict('You cannot lock your own account');
    }
    // Locks the rows of all administrators. So if two administrators lock each other at the same time, one
    // call waits until the other has ended.
    const rows = await tx.query<{
      id: string;
      status: AccountStatus;
      is_administrator: boolean;
    }>(sql`
      SELECT id, status, is_administrator
      FROM accounts
      WHERE is_administrator OR id = ${id}
      ORDER BY id
      FOR UPDATE`);
    const { status } = rows.find((row) => row.id === id)!;
    if (status === 'locked') return null;
    const others = rows.filter((row) => row.id !== id && row.is_administrator);
    if (!others.some((other) => other.status === 'active')) {
      throw conflict('The last active administrator cannot be locked');
    }
    await updateStatus(tx, id, status, 'locked');
    return { revoked_access_tokens: await revokeTokensOf(tx, id) };
  });

/**
 * Unlocks an account that an administrator has locked, and clears its failed logins. An account that was
 * pending before the lock is pending again.
 * @throws ApiError 404 when there is no such account.
 */
export const unlockAccount = (request: AccountChange): Promise<Account> =>
  changeAccount(request, 'unlock_account', async (tx, { id, email, locked_until }) => {
    await deleteLoginFailures(tx, email);
    const unlocked = await unlockStatus(tx, id);
    return unlocked || locked_until !== null ? {} : null;
  });

/** @throws ApiError 404 when there is no such account. */
export const setMaxFreeGames = (
  request: AccountChange,
  max_free_games: number | null,
): Promise<Account> =>
  changeAccount(request, 'set_account_limits', async (tx, { id, max_free_games: before }) => {
    await tx.execute(sql`
      UPDATE accounts SET max_free_games = ${max_free_games} WHERE id = ${id}`);
    return { free_games: { from: before, to: max_free_games } };
  });

/**
 * Makes a link to set a new password, for an installation that sends no mail. The administrator hands the
 * link to the owner.
 * @throws ApiError 404 when there is no such account.
 */
export async function makePasswordResetLink(
  request: AccountChange,
  public_url: string,
): Promise<{ link: string; expires_at: string }> {
  const { database, actor } = request;
  return database.transaction(async (tx) => {
    const { id, email: target } = await getAccount(tx, request.account_id);
    const { token, expires_at } = await replaceAccountTokens(tx, id, 'reset_password');
    await insertAuditEntry(tx, { actor, game_id: null }, 'make_reset_link', target);
    return { link: resetLink(public_url, token), expires_at };
  });
}

const resetLink = (public_url: string, token: string) =>
  `${public_url}/reset-password#token=${token}`;

/** @throws ApiError 404 when there is no such account. */
export const verifyAccountEmail = (request: AccountChange): Promise<Account> =>
  changeAccount(request, 'verify_email', async (tx, { id, email_verified }) => {
    if (email_verified) return null;
    await markEmailVerified(tx, id);
    return {};
  });
