import type { Database, Queryable } from './database.ts';

/**
 * Runs work that is one statement on plain PostgreSQL. On a cluster the work is several statements, which run
 * in one transaction.
 */
export const asOne = <Result>(
  database: Database,
  work: (queryable: Queryable) => Promise<Result>,
): Promise<Result> => (database.is_spread ? database.transaction(work) : work(database));
