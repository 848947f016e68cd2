import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';

/** A database of which PostgreSQL refuses chosen statements, and those that were sent to it. */
export interface FailingDatabase extends Database {
  readonly sent: string[];
  /** The next statement with this text is refused, as if it had been in a deadlock. */
  failNext(part: string): void;
}

/** Statements of `query` alone can be refused: those of transactions are handed on. */
export function makeFailing(database: Database): FailingDatabase {
  const sent: string[] = [];
  const failing: string[] = [];
  return {
    ...database,
    sent,
    failNext: (part) => void failing.push(part),
    async query(statement) {
      sent.push(statement.text);
      const place = failing.findIndex((part) => statement.text.includes(part));
      if (place === -1) return database.query(statement);
      failing.splice(place, 1);
      await database.execute(sql`
        DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`);
      throw new Error('PostgreSQL did not refuse it');
    },
  };
}
