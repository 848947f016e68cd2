import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { connectToNodes, sumOfNodes } from './nodes.ts';
import { IS_SPREAD } from './test-database.ts';

export interface Refusal {
  /** The number of rows that statements have tried to write into the table since `refuseOnce`. */
  countWrites(): Promise<number>;
}

/**
 * Makes PostgreSQL refuse the next statement that writes a row for which the condition is true. The statement
 * fails with the error of a deadlock.
 * @param condition SQL about the row `NEW`.
 */
export async function refuseOnce(database: Database, table: Sql, condition: Sql): Promise<Refusal> {
  const place = await database.queryOne<{ schema: string }>(sql`SELECT current_schema() AS schema`);
  // The counters are sequences, because a refused statement does not roll them back. Each node has its own.
  for (const name of ['tried_writes', 'refusals']) {
    const text = `CREATE SEQUENCE ${place!.schema}.${name}`;
    await database.execute({ text, values: [] });
    if (!IS_SPREAD) continue;
    await using nodes = await connectToNodes(database);
    await nodes.run(text);
  }
  await database.execute(sql`
    CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
    countWrites: () =>
      sumOfNodes(
        database,
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${place!.schema}.tried_writes`,
      ),
  };
}
