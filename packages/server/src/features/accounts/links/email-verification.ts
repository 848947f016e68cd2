import { insertAuditEntry } from '../../../platform/audit.ts';
import type { AccountCaller } from '../../../platform/auth/accounts.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Client } from '../../../platform/http/client.ts';
import { postVerificationMail } from './account-mails.ts';
import { findTokenAccount, takeAccountToken } from './account-tokens.ts';
import type { AttemptLimit } from '../login/attempt-limit.ts';
import { badToken } from '../passwords/password-changes.ts';
import { markEmailVerified } from '../store.ts';

/** Whether the account's owner is known to read its mail; administrators own the machine. */
export async function isEmailVerified(database: Queryable, account_id: string): Promise<boolean> {
  const row = await database.queryOne(sql`
    SELECT FROM accounts
    WHERE id = ${account_id} AND (is_administrator OR email_verified_at IS NOT NULL)`);
  return row !== null;
}

/** Sends the link to the account's own address. @returns what happens, in words. */
export async function sendVerification(
  { database, mailRequests }: { database: Database; mailRequests: AttemptLimit },
  { account_id, email }: AccountCaller,
  client: Client,
): Promise<string> {
  if (await isEmailVerified(database, account_id)) {
    return `The address ${email} is verified already`;
  }
  await mailRequests.take(client.ip);
  await postVerificationMail(database, account_id, client);
  return `An e-mail with a link is on its way to ${email}`;
}

/**
 * Verifies the address that the link was sent to.
 * @returns the address.
 * @throws ApiError 400 when the token is unknown, used or expired, 429 when the network address has
 * tried too many of them.
 */
export async function verifyByLink(
  { database, failedLinks }: { database: Database; failedLinks: AttemptLimit },
  { token }: { token: string },
  ip: string,
): Promise<string> {
  await failedLinks.check(ip);
  const account = await findTokenAccount(database, token, 'verify_email');
  if (account === null) {
    await failedLinks.count(ip);
    throw badToken();
  }
  const { id: account_id, email } = account;
  await database.transaction(async (tx) => {
    await markEmailVerified(tx, account_id);
    if (!(await takeAccountToken(tx, token, 'verify_email'))) throw badToken();
    const actor = { account: { account_id, email }, ip };
    await insertAuditEntry(tx, actor, { game_id: null, action: 'verify_email', target: email });
  });
  return email;
}
