import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { markEmailVerified, updateStatus } from '../store.ts';
import { takeAccountToken } from './account-tokens.ts';
import { badToken, getLinkAccount } from './links.ts';

/**
 * Activates the account that the link was sent to.
 * @throws ApiError 400 when the token is unknown, used or expired, or the account is not pending, 429
 * when the network address has tried too many tokens.
 */
export async function activateByLink(
  services: { database: Database; failedLinks: AttemptLimit },
  { token }: { token: string },
  ip: string,
): Promise<void> {
  const account = await getLinkAccount(services, token, 'activate_account', ip);
  const { account_id, email } = account;
  await services.database.transaction(async (tx) => {
    const activated = await updateStatus(tx, account_id, 'pending', 'active');
    await markEmailVerified(tx, account_id);
    const taken = await takeAccountToken(tx, token, 'activate_account');
    if (!activated || !taken) throw badToken();
    await insertAuditEntry(
      tx,
      { actor: { account, ip }, game_id: null },
      'activate_account',
      email,
    );
  });
}
