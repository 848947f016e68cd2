import { hash, randomInt } from 'node:crypto';
import { RECOVERY_CODE_COUNT } from '@overworld/contract/accounts/recovery-codes';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** Without those that are taken for one another: 0 and O, 1 and I. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** 80 random bits: nobody guesses one, and a plain SHA-256 is as good as a slow hash. */
const LENGTH = 16;

function makeCode(): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return code.replaceAll(/(.{4})(?=.)/g, '$1-');
}

/** As it is written down, in upper or lower case, with or without dashes. */
const hashCode = (code: string) =>
  hash('sha256', code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''), 'hex');

/** Makes the codes of an account anew: those that there were work no more. */
export async function replaceRecoveryCodes(tx: Queryable, account_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, makeCode);
  await deleteRecoveryCodes(tx, account_id);
  await tx.execute(sql`
    INSERT INTO recovery_codes (account_id, code_hash)
    SELECT ${account_id}, code_hash FROM unnest(${codes.map(hashCode)}::text[]) AS code_hash`);
  return codes;
}

/** Uses a code, which works once: false when the account has no such code. */
export async function takeRecoveryCode(
  tx: Queryable,
  account_id: string,
  code: string,
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    DELETE FROM recovery_codes
    WHERE account_id = ${account_id} AND code_hash = ${hashCode(code)}`);
  return deleted === 1;
}

export async function countRecoveryCodes(tx: Queryable, account_id: string): Promise<number> {
  const row = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM recovery_codes WHERE account_id = ${account_id}`);
  return row!.count;
}

export async function deleteRecoveryCodes(tx: Queryable, account_id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM recovery_codes WHERE account_id = ${account_id}`);
}
