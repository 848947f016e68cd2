import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { unavailable } from '../../../platform/errors.ts';

/**
 * The time limit of a search. If tags or filters match hardly any player, a search
 * reads all players in the order of the list. A million players take about a second.
 */
const SEARCH_TIMEOUT_MS = 5_000;

const QUERY_CANCELED = '57014';

/**
 * Runs the statements of a search in a transaction.
 * @param advice The end of the sentence of the error.
 * @throws ApiError 503 when a statement takes too long.
 */
export async function within<Result>(
  database: Database,
  search: (tx: Queryable) => Promise<Result>,
  timeout_ms = SEARCH_TIMEOUT_MS,
  advice = 'narrow it, or search by the beginning of the id',
): Promise<Result> {
  try {
    return await database.transaction(async (tx) => {
      // On a busy machine, PostgreSQL takes 30 to 50 ms to start the workers of a parallel query. A search
      // without them takes less time.
      await tx.execute(sql`
        SELECT set_config('statement_timeout', ${String(timeout_ms)}, true),
               set_config('max_parallel_workers_per_gather', '0', true)`);
      return search(tx);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) {
      throw unavailable(
        `The search took longer than ${timeout_ms / 1_000} seconds: ${advice}`,
        error,
      );
    }
    throw error;
  }
}
