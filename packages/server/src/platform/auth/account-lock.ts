import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/**
 * Locks the row of an account, so changes to its sessions, browsers, links and factors wait for each other
 * until the transaction ends. Take this lock before any other lock of the account.
 */
export async function lockAccountRow(tx: Queryable, account_id: string): Promise<void> {
  await tx.execute(sql`SELECT FROM accounts WHERE id = ${account_id} FOR NO KEY UPDATE`);
}
