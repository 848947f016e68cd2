import type { PersonCaller } from '../../../platform/auth/accounts.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Client } from '../../../platform/http/client.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { postLinkMail } from './account-mails.ts';

/**
 * Tells whether the owner of an account has proved that mail to the account's e-mail address arrives.
 * Administrators count as verified, because they run the server.
 */
export async function isEmailVerified(database: Queryable, account_id: string): Promise<boolean> {
  const row = await database.queryOne(sql`
    SELECT FROM accounts
    WHERE id = ${account_id} AND (is_administrator OR email_verified_at IS NOT NULL)`);
  return row !== null;
}

/**
 * Sends the link that verifies the account's e-mail address to this address.
 * @returns a sentence for the caller.
 * @throws ApiError 429 when the caller's IP address has asked for too many mails.
 */
export async function sendVerification(
  { database, mailRequests }: { database: Database; mailRequests: AttemptLimit },
  { account_id, email }: PersonCaller,
  client: Client,
): Promise<string> {
  if (await isEmailVerified(database, account_id)) {
    return `The address ${email} is verified already`;
  }
  await mailRequests.take(client.ip);
  await postLinkMail(database, 'verify_email', { account_id }, client);
  return `An e-mail with a link is on its way to ${email}`;
}
