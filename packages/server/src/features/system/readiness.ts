import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** All who ask within this time get the same answer of the database. */
const HOLDS_MS = 250;

/**
 * Makes the question whether the database answers. However many ask, one connection is taken, four
 * times a second at most: these requests are not rate limited, so they must cost others nothing.
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
