import { RECOVERY_CODE_COUNT } from '@overworld/contract/accounts/limits';
import { hashTypedCode, makeTypedCode } from '../../platform/auth/typed-code.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';

/** A code has 80 random bits: nobody can guess it, and a slow hash would add nothing. */
const LENGTH = 16;

/** Makes new codes for an account. The old codes do not work any more. */
export async function replaceRecoveryCodes(tx: Queryable, account_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => makeTypedCode(LENGTH));
  await deleteRecoveryCodes(tx, account_id);
  await tx.execute(sql`
    INSERT INTO recovery_codes (account_id, code_hash)
    SELECT ${account_id}, code_hash FROM unnest(${codes.map(hashTypedCode)}::text[]) AS code_hash`);
  return codes;
}

/** Uses up a code. @returns false when the account has no such code. */
export async function takeRecoveryCode(
  tx: Queryable,
  account_id: string,
  code: string,
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    DELETE FROM recovery_codes
    WHERE account_id = ${account_id} AND code_hash = ${hashTypedCode(code)}`);
  return deleted === 1;
}

export const countRecoveryCodes = (tx: Queryable, account_id: string): Promise<number> =>
  selectCount(tx, sql`recovery_codes WHERE account_id = ${account_id}`);

export async function deleteRecoveryCodes(tx: Queryable, account_id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM recovery_codes WHERE account_id = ${account_id}`);
}
