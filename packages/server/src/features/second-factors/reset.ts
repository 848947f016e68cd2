import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { isUuid } from '../../platform/http/validation.ts';
import { postFactorMail } from './mails.ts';
import { deletePasskeys } from './passkeys/passkey-store.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { deleteTotp } from './totp/totp-store.ts';

/**
 * Removes all second factors of an account whose owner has lost them, and tells the owner by mail.
 * @returns whether the account had any second factors.
 * @throws ApiError 404 when there is no such account. 409 for the caller's own account: someone who has
 * stolen an administrator's session must not be able to remove the second factors without the password.
 */
export async function resetSecondFactors(
  database: Database,
  actor: Actor,
  account_id: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const account = isUuid(account_id)
      ? await tx.queryOne<{ id: string; email: string }>(sql`
          SELECT id, email FROM accounts WHERE id = ${account_id} FOR NO KEY UPDATE`)
      : null;
    if (account === null) throw notFound('Account not found');
    if (account.id === actor.account?.account_id) {
      throw conflict(
        'Remove the second factors of your own account on its page, with your password',
      );
    }
    return removeSecondFactors(tx, actor, { account_id, email: account.email });
  });
}

/**
 * Removes all second factors of an account, and tells its owner by mail. @returns whether the account had any.
 */
export async function removeSecondFactors(
  tx: Queryable,
  actor: Actor,
  { account_id, email }: { account_id: string; email: string },
): Promise<boolean> {
  const totp = await deleteTotp(tx, account_id);
  const passkeys = await deletePasskeys(tx, account_id);
  await deleteRecoveryCodes(tx, account_id);
  if (!totp && passkeys === 0) return false;
  const details = { totp, passkeys };
  await insertAuditEntry(tx, { actor, game_id: null }, 'reset_second_factors', email, details);
  const isOwn = actor.account?.account_id === account_id;
  await postFactorMail(tx, account_id, isOwn ? 'factors_of_unverified' : 'factors_reset');
  return true;
}
