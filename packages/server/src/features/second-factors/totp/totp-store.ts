import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** After this many wrong codes in a row, codes of the authenticator app are refused. */
const MAX_FAILURES = 5;
const FIRST_LOCK_MINUTES = 15;
const LONGEST_LOCK_MINUTES = 24 * 60;

interface TotpFactor {
  sealed_secret: string;
  last_step: number;
  created_at: string;
  last_used_at: string | null;
}

export async function findTotp(tx: Queryable, account_id: string): Promise<TotpFactor | null> {
  return tx.queryOne<TotpFactor>(sql`
    SELECT sealed_secret, last_step, created_at, last_used_at
    FROM totp_factors WHERE account_id = ${account_id}`);
}

/** Sets up the account's authenticator app, in place of an earlier app. */
export async function upsertTotp(
  tx: Queryable,
  account_id: string,
  factor: { sealed_secret: string; last_step: number },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO totp_factors (account_id, sealed_secret, last_step)
    VALUES (${account_id}, ${factor.sealed_secret}, ${factor.last_step})
    ON CONFLICT (account_id) DO UPDATE SET
      sealed_secret = EXCLUDED.sealed_secret, last_step = EXCLUDED.last_step,
      created_at = EXCLUDED.created_at, last_used_at = NULL`);
}

/** Marks the code of a time step as used. @returns false when this code or a newer one was used before. */
export async function takeTotpStep(
  tx: Queryable,
  account_id: string,
  step: number,
): Promise<boolean> {
  const updated = await tx.execute(sql`
    UPDATE totp_factors SET last_step = ${step}, last_used_at = now()
    WHERE account_id = ${account_id} AND last_step < ${step}`);
  return updated === 1;
}

/** Removes the account's authenticator app. @returns false when the account had none. */
export async function deleteTotp(tx: Queryable, account_id: string): Promise<boolean> {
  await deleteTotpFailures(tx, account_id);
  return (await tx.execute(sql`DELETE FROM totp_factors WHERE account_id = ${account_id}`)) === 1;
}

/**
 * Finds the end of the time in which codes of the app are refused. Returns null if codes are accepted
 * now.
 */
export async function findTotpLock(tx: Queryable, account_id: string): Promise<string | null> {
  const row = await tx.queryOne<{ locked_until: string }>(sql`
    SELECT locked_until FROM totp_failures
    WHERE account_id = ${account_id} AND locked_until > now()`);
  return row?.locked_until ?? null;
}

/**
 * Counts a wrong code. After the fifth wrong code in a row, no code is accepted for 15 minutes. Each
 * further wrong code doubles this time, up to a day. A thief who knows the password gets about 12
 * attempts on the first day and one on each later day. Each attempt succeeds with a probability of 3 in a
 * million.
 * @returns true for the fifth wrong code in a row, which begins the lock.
 */
export async function insertTotpFailure(tx: Queryable, account_id: string): Promise<boolean> {
  const row = await tx.queryOne<{ failures: number }>(sql`
    INSERT INTO totp_failures AS known (account_id, failures) VALUES (${account_id}, 1)
    ON CONFLICT (account_id) DO UPDATE SET failures = known.failures + 1
    RETURNING failures`);
  const { failures } = row!;
  if (failures < MAX_FAILURES) return false;
  const minutes = Math.min(
    FIRST_LOCK_MINUTES * 2 ** (failures - MAX_FAILURES),
    LONGEST_LOCK_MINUTES,
  );
  await tx.execute(sql`
    UPDATE totp_failures SET locked_until = now() + ${minutes}::integer * interval '1 minute'
    WHERE account_id = ${account_id}`);
  return failures === MAX_FAILURES;
}

export async function deleteTotpFailures(tx: Queryable, account_id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM totp_failures WHERE account_id = ${account_id}`);
}
