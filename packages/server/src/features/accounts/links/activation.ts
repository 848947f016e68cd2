import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import { findTokenAccount, takeAccountToken } from './account-tokens.ts';
import type { AttemptLimit } from '../login/attempt-limit.ts';
import { badToken } from '../passwords/password-changes.ts';
import { markEmailVerified, updateStatus } from '../store.ts';

/**
 * Activates the account that the link was sent to.
 * @throws ApiError 400 when the token is unknown, used or expired, or the account is not pending, 429
 * when the network address has tried too many of them.
 */
export async function activateByLink(
  { database, failedLinks }: { database: Database; failedLinks: AttemptLimit },
  given: { token: string },
  ip: string,
): Promise<void> {
  await failedLinks.check(ip);
  const account = await findTokenAccount(database, given.token, 'activate_account');
  if (account === null) {
    await failedLinks.count(ip);
    throw badToken();
  }
  const { id: account_id, email } = account;
  await database.transaction(async (tx) => {
    const activated = await updateStatus(tx, account_id, 'pending', 'active');
    await markEmailVerified(tx, account_id);
    const taken = await takeAccountToken(tx, given.token, 'activate_account');
    if (!activated || !taken) throw badToken();
    const actor = { account: { account_id, email }, ip };
    await insertAuditEntry(tx, actor, { game_id: null, action: 'activate_account', target: email });
  });
}
