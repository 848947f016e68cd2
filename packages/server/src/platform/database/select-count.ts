import type { Queryable } from './database.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** @param from The table and the condition, such as `` sql`games WHERE tier = ${tier}` ``. */
export async function selectCount(database: Queryable, from: Sql): Promise<number> {
  const row = await database.queryOne<{ count: number }>(sql`SELECT count(*) FROM ${from}`);
  return row!.count;
}
