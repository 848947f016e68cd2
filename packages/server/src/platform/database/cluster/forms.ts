import type { Database, Queryable } from '../database.ts';

/**
 * Chooses between two forms of a statement, of a part of one, or of a function: `plain` for one PostgreSQL,
 * `cluster` for the nodes of a Citus cluster. A statement needs two forms only if the form for a cluster
 * costs one PostgreSQL more than a twentieth more. ARCHITECTURE.md lists all that have two.
 * @param queryable The pool, or the transaction, that will run the form.
 */
export const formFor = <Form>(
  { is_spread }: Pick<Queryable, 'is_spread'>,
  { plain, cluster }: { plain: Form; cluster: Form },
): Form => (is_spread ? cluster : plain);

/**
 * Runs work that is one statement on plain PostgreSQL. On a cluster the work is several statements, which run
 * in one transaction.
 */
export const runAtomically = <Result>(
  database: Database,
  work: (queryable: Queryable) => Promise<Result>,
): Promise<Result> => (database.is_spread ? database.transaction(work) : work(database));
