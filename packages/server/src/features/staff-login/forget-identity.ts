import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { lockAccountRow } from '../../platform/auth/account-lock.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { deleteIdentities } from './identity-store.ts';

/**
 * Makes the server forget with which identities an account logs in, because its owner has got another one. The
 * account, its second factors and its games stay.
 * @param endAccess Ends the sessions, known browsers, links and access tokens of the account, which may be those of
 * the former owner. Returns the number of revoked tokens.
 * @returns whether it had an identity.
 */
export async function forgetIdentity(
  database: Database,
  actor: Actor,
  { account_id, email }: { account_id: string; email: string },
  endAccess: (tx: Queryable, account_id: string) => Promise<number>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockAccountRow(tx, account_id);
    const issuers = await deleteIdentities(tx, account_id);
    if (issuers.length === 0) return false;
    const revoked_access_tokens = await endAccess(tx, account_id);
    const details = { issuers, revoked_access_tokens };
    await insertAuditEntry(tx, { actor, game_id: null }, 'forget_identity', email, details);
    return true;
  });
}
