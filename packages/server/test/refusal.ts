import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';
import type { Sql } from '../src/platform/database/sql.ts';

export interface Refusal {
  /** Number of rows of the table that statements have tried to write since `refuseOnce`. */
  countWrites(): Promise<number>;
}

/**
 * Has PostgreSQL refuse, as in a deadlock, the next statement that writes such a row of a table.
 * @param condition on the row `NEW`.
 */
export async function refuseOnce(database: Database, table: Sql, condition: Sql): Promise<Refusal> {
  // A refused statement does not take back the next value of a sequence.
  await database.execute(sql`CREATE SEQUENCE tried_writes`);
  await database.execute(sql`CREATE SEQUENCE refusals`);
  await database.execute(sql`
    CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM nextval('tried_writes');
      IF ${condition} THEN
        IF nextval('refusals') = 1 THEN
          RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';
        END IF;
      END IF;
      RETURN NULL;
    END $$`);
  await database.execute(sql`
    CREATE TRIGGER refusal AFTER INSERT OR UPDATE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION refuse_once()`);
  return {
    async countWrites() {
      const row = await database.queryOne<{ count: number }>(
        sql`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS count FROM tried_writes`,
      );
      return row!.count;
    },
  };
}
