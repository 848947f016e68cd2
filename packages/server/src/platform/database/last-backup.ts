import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** The row of `installation` with the time of the last backup. No archive contains this row. */
export const LAST_BACKUP_NAME = 'last_backup_at';

/** Records that a backup of the whole installation has ended now. */
export async function recordBackup(database: Queryable): Promise<void> {
  await database.execute(sql`
    INSERT INTO installation (name, value) VALUES (${LAST_BACKUP_NAME}, now()::text)
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

/** Finds the time of the last backup, as ISO 8601. */
export async function findLastBackup(database: Queryable): Promise<string | null> {
  const row = await database.queryOne<{ at: string }>(sql`
    SELECT value::timestamptz AS at FROM installation WHERE name = ${LAST_BACKUP_NAME}`);
  return row?.at ?? null;
}
