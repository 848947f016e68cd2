import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** So long one answer of the database holds for all who ask. */
const HOLDS_MS = 250;

/**
 * Makes the question whether the database answers. However many ask, one connection is taken, four
 * times a second at most: nobody is counted who asks, so that asking must cost others nothing.
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
