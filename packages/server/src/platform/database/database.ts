import type pg from 'pg';
import type { Sql } from './sql.ts';

/** A pool or an open transaction, which runs statements. */
export interface Queryable {
  /** Returns all rows of the statement's answer. */
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  /** Returns the first row, or null. */
  queryOne<Row extends object>(statement: Sql): Promise<Row | null>;
  /** Returns the number of rows that the statement changed. */
  execute(statement: Sql): Promise<number>;
  /**
   * Chooses between two forms of a statement, of a part of one, or of a function. A cluster runs a statement
   * that inserts and does something else in steps, and later steps see the writes of earlier ones. A statement
   * needs two forms only if the form for a cluster costs one PostgreSQL more than a twentieth more.
   * ARCHITECTURE.md lists all that have two.
   */
  formFor<Form>(forms: Forms<Form>): Form;
}

interface Forms<Form> {
  /** The form for one PostgreSQL. */
  plain: Form;
  /** The form for the nodes of a Citus cluster. */
  cluster: Form;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: committed when `work` resolves, rolled back when it throws. Throws when
   * PostgreSQL answers COMMIT with a rollback.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Runs work that is one statement on plain PostgreSQL. On a cluster the work is several statements, which
   * run in one transaction.
   */
  runAtomically<T>(work: (queryable: Queryable) => Promise<T>): Promise<T>;
  /** Lends a connection for LISTEN, cursors and session settings. The caller releases the connection. */
  connect(): Promise<pg.PoolClient>;
  /** The numbers of open connections, and of statements that wait for a connection. */
  readonly load: { open: number; waiting: number };
  close(): Promise<void>;
}
