import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/**
 * Makes changes to the sessions, browsers, links and factors of an account wait for each other until
 * the transaction ends. Take it before any other lock of the account.
 */
export async function lockAccountRow(tx: Queryable, account_id: string): Promise<void> {
  await tx.execute(sql`SELECT FROM accounts WHERE id = ${account_id} FOR NO KEY UPDATE`);
}
