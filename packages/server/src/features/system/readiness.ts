import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** All requests within this time share one answer of the database. */
const HOLDS_MS = 250;

/**
 * Makes the function that checks whether the database answers. Calls are not rate limited, so all calls
 * together take one connection, at most four times a second.
 */
export function createReadiness(database: Pick<Database, 'execute'>): () => Promise<unknown> {
  let answer: Promise<unknown> | undefined;
  return () => {
    if (answer === undefined) {
      answer = database.execute(sql`SELECT 1`);
      const forget = () => setTimeout(() => (answer = undefined), HOLDS_MS).unref();
      answer.then(forget, forget);
    }
    return answer;
  };
}
