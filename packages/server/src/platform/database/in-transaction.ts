import type pg from 'pg';

/** Runs `work` in a transaction of this connection. */
export async function inTransaction(
  client: pg.ClientBase,
  work: () => Promise<void>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
