import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';

/** A database that records statements, and for which PostgreSQL refuses chosen ones. */
export interface FailingDatabase extends Database {
  readonly sent: string[];
  /** PostgreSQL refuses the next statement with this text, as in a deadlock. */
  failNext(part: string): void;
}

/** Only statements of `query` can be refused, not those of transactions. */
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
