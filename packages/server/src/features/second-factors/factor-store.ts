import { hasFactor, isSecondFactorRequired } from '../../platform/auth/second-factor-policy.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { listPasskeys } from './passkeys/passkey-store.ts';
import { countRecoveryCodes, deleteRecoveryCodes } from './recovery-codes.ts';
import { findTotp } from './totp/totp-store.ts';

/** Deletes the recovery codes of an account that has no second factor. Such codes have no use. */
export async function deleteUselessCodes(tx: Queryable, account_id: string): Promise<void> {
  if (!(await hasFactor(tx, account_id))) await deleteRecoveryCodes(tx, account_id);
}

/** Reads the second factors of an account, as its owner sees them. */
export async function getFactors(database: Queryable, account_id: string) {
  const totp = await findTotp(database, account_id);
  const required = await database.queryOne<{ is_required: boolean }>(sql`
    SELECT ${isSecondFactorRequired} AS is_required FROM accounts WHERE id = ${account_id}`);
  return {
    totp: totp && { created_at: totp.created_at, last_used_at: totp.last_used_at },
    passkeys: await listPasskeys(database, account_id),
    recovery_codes_left: await countRecoveryCodes(database, account_id),
    is_required: required!.is_required,
  };
}
