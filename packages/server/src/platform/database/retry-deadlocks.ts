const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 5;

/**
 * Runs a transaction again that PostgreSQL has ended to resolve a deadlock with another, which locks
 * the same rows in another order.
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
