const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 5;

/**
 * Runs a transaction again when PostgreSQL has ended it to resolve a deadlock. Use it for transactions
 * that may lock the same rows in different orders.
 * @param run Must change nothing but the database.
 */
export async function retryDeadlocks<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock =
        error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED;
      if (!isDeadlock || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
