import { copyOut } from '../src/platform/database/copy-out.ts';
import type { CopiedRow } from '../src/platform/database/copy-out.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { Sql } from '../src/platform/database/sql.ts';

/** Reads all rows of a statement in binary form, on a connection of its own. */
export async function copyRows(database: Database, statement: Sql): Promise<CopiedRow[]> {
  const client = await database.connect();
  try {
    const rows: CopiedRow[] = [];
    await copyOut(client, statement, (row) => rows.push(row));
    return rows;
  } finally {
    client.release();
  }
}
