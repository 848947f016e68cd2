import { LOCK_DURATION_MINUTES, MAX_LOGIN_FAILURES } from '@overworld/contract/accounts/limits';
import { ApiError } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The failed logins that count towards the lock of an e-mail address, which need not have an account. */
interface LoginFailures {
  failures: number;
  /** Null when the address is not locked. */
  locked_until: string | null;
}

/** The 403 error for too many failures. It does not tell whether the address has an account. */
export const tooManyFailures = (locked_until: string) =>
  new ApiError(
    403,
    `Too many failed logins: try again in ${LOCK_DURATION_MINUTES} minutes, or reset the password`,
    { code: 'ACCOUNT_LOCKED', locked_until },
  );

/**
 * Reads the failures of an address, and locks their row until the transaction ends. Attempts
 * to log in with one address are therefore judged one after the other, on all servers.
 */
export async function lockLoginFailures(tx: Queryable, email: string): Promise<LoginFailures> {
  const row = await tx.queryOne<LoginFailures>(sql`
    INSERT INTO login_failures AS known (email) VALUES (fold_text(${email}))
    ON CONFLICT (email) DO UPDATE SET
      failures = CASE WHEN known.locked_until <= now() THEN 0 ELSE known.failures END,
      locked_until = CASE WHEN known.locked_until > now() THEN known.locked_until END
    RETURNING failures, locked_until`);
  return row!;
}

/** Adds a failure. An address with `MAX_LOGIN_FAILURES` failures is locked. */
export async function insertLoginFailure(tx: Queryable, email: string): Promise<void> {
  await tx.execute(sql`
    UPDATE login_failures SET
      failures = failures + 1,
      last_failed_at = now(),
      locked_until = CASE WHEN failures + 1 >= ${MAX_LOGIN_FAILURES}::integer
        THEN now() + ${LOCK_DURATION_MINUTES}::integer * interval '1 minute' END
    WHERE email = fold_text(${email})`);
}

/** Clears the failures of an address, and unlocks it. */
export async function deleteLoginFailures(tx: Queryable, email: string): Promise<void> {
  await tx.execute(sql`DELETE FROM login_failures WHERE email = fold_text(${email})`);
}

/**
 * Deletes the failures of an address a day after its last failure, so that made-up addresses do not pile up.
 */
export async function deleteOldLoginFailures(tx: Queryable): Promise<void> {
  await tx.execute(sql`
    DELETE FROM login_failures
    WHERE last_failed_at < now() - interval '1 day'`);
}
