import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { deleteIdentities } from './identity-store.ts';

/**
 * Makes the server forget with which identities an account logs in, because its owner has got another one. The
 * account, its sessions and its games stay.
 * @returns whether it had an identity.
 */
export async function forgetIdentity(
  database: Database,
  actor: Actor,
  { account_id, email }: { account_id: string; email: string },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const issuers = await deleteIdentities(tx, account_id);
    if (issuers.length === 0) return false;
    await insertAuditEntry(tx, { actor, game_id: null }, 'forget_identity', email, { issuers });
    return true;
  });
}
