const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 5;

/**
 * Runs a transaction again when PostgreSQL has ended it to resolve a deadlock. Use it for transactions
 * that may lock the same rows in different orders.
 * @param run Must change nothing but the database, because it may be called several times.
 */
export const retryDeadlocks = <Result>(run: () => Promise<Result>): Promise<Result> =>
  retry(run, [DEADLOCK_DETECTED]);

/**
 * Runs a transaction again after a deadlock, and also when another transaction has just inserted the same
 * row.
 */
export const retryCollisions = <Result>(run: () => Promise<Result>): Promise<Result> =>
  retry(run, [DEADLOCK_DETECTED, UNIQUE_VIOLATION]);

async function retry<Result>(
  run: () => Promise<Result>,
  codes: readonly unknown[],
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isExpected = error instanceof Error && 'code' in error && codes.includes(error.code);
      if (!isExpected || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
