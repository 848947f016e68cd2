const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 5;

const hasCode =
  (...codes: unknown[]) =>
  (error: unknown): boolean =>
    error instanceof Error && 'code' in error && codes.includes(error.code);

/**
 * Runs a transaction again when PostgreSQL has ended it to resolve a deadlock. Use it for transactions
 * that may lock the same rows in different orders.
 * @param run Must change nothing but the database, because it may be called several times.
 */
export const retryDeadlocks = <Result>(run: () => Promise<Result>): Promise<Result> =>
  retryExpected(run, hasCode(DEADLOCK_DETECTED));

/**
 * Runs a transaction again after a deadlock, and also when another transaction has just inserted the same
 * row.
 */
export const retryCollisions = <Result>(run: () => Promise<Result>): Promise<Result> =>
  retryExpected(run, hasCode(DEADLOCK_DETECTED, UNIQUE_VIOLATION));

/**
 * Runs a transaction up to five times, at once after each expected error.
 * @param run Must change nothing but the database, because it may be called several times.
 */
export async function retryExpected<Result>(
  run: () => Promise<Result>,
  isExpected: (error: unknown) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isExpected(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
