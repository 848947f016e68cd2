import type pg from 'pg';
import type { Sql } from './sql.ts';

/** A pool or an open transaction, which runs statements. */
export interface Queryable {
  /**
   * True if the tables are on nodes of a Citus cluster. Then a statement that inserts and does something else
   * is run in steps, and later steps see the writes of earlier ones. `formFor` reads this.
   */
  readonly is_spread: boolean;
  /** Returns all rows of the statement's answer. */
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  /** Returns the first row, or null. */
  queryOne<Row extends object>(statement: Sql): Promise<Row | null>;
  /** Returns the number of rows that the statement changed. */
  execute(statement: Sql): Promise<number>;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: committed when `work` resolves, rolled back when it throws. Throws when
   * PostgreSQL answers COMMIT with a rollback.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Lends a connection for LISTEN, cursors and session settings. The caller releases the connection. */
  connect(): Promise<pg.PoolClient>;
  /** The numbers of open connections, and of statements that wait for a connection. */
  readonly load: { open: number; waiting: number };
  close(): Promise<void>;
}
