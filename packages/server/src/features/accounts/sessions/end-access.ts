import { revokeTokensOf } from '../../../platform/auth/access-tokens.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { deleteAccountTokens } from '../links/account-tokens.ts';
import { deleteOtherDevices } from './devices.ts';
import { deleteSessions } from './sessions.ts';

/**
 * Ends everything by which somebody is in an account now: its sessions, known browsers, links and access tokens, and
 * logins that have not ended yet.
 * @returns the number of revoked access tokens.
 */
export async function endAccess(tx: Queryable, account_id: string): Promise<number> {
  await tx.execute(sql`
    UPDATE accounts SET token_generation = token_generation + 1 WHERE id = ${account_id}`);
  const revoked = await revokeTokensOf(tx, account_id);
  await deleteSessions(tx, account_id);
  await deleteOtherDevices(tx, account_id, null);
  await deleteAccountTokens(tx, account_id, 'reset_password');
  await deleteAccountTokens(tx, account_id, 'log_in');
  return revoked;
}
