import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** The row of `installation` with the time of the last backup. */
const LAST_BACKUP_NAME = 'last_backup_at';
/** The row with the time of the last backup to a file or to standard output. */
const LAST_FILE_NAME = 'last_file_backup_at';
/** The row with the names of the backups that were read back whole, as JSON. */
const CHECKED_NAME = 'checked_backups';
/** The row with the id in the names of this installation's backups. */
const BACKUP_ID_NAME = 'backup_id';
/** The row with the time since which servers of this installation make backups. */
const SINCE_NAME = 'backups_since';
/** A row that is there after administrators were told that backups are late, until they are mended. */
const TOLD_NAME = 'late_backups_told_at';

/**
 * The rows of `installation` that no archive contains. A restored installation thus has another id, and
 * removes no backups of the installation from which its data comes.
 */
export const BACKUP_ROWS = [
  LAST_BACKUP_NAME,
  LAST_FILE_NAME,
  CHECKED_NAME,
  BACKUP_ID_NAME,
  SINCE_NAME,
  TOLD_NAME,
];

/**
 * Records that a backup in BACKUP_TO has ended now.
 * @param checked The names of all backups that were read back whole and are kept, the newest first.
 */
export async function recordBackup(database: Queryable, checked: string[]): Promise<void> {
  await database.execute(sql`
    INSERT INTO installation (name, value)
    VALUES (${LAST_BACKUP_NAME}, now()::text), (${CHECKED_NAME}, ${JSON.stringify(checked)})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

/** Records that a command has now written the installation to a file or to standard output. */
export async function recordFileBackup(database: Queryable): Promise<void> {
  await database.execute(sql`
    INSERT INTO installation (name, value) VALUES (${LAST_FILE_NAME}, now()::text)
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

/** Lists the names of the backups that were read back whole. */
export async function listChecked(database: Queryable): Promise<string[]> {
  const row = await database.queryOne<{ names: string[] }>(sql`
    SELECT value::jsonb AS names FROM installation WHERE name = ${CHECKED_NAME}`);
  return row?.names ?? [];
}

/** Finds the time of the last backup in BACKUP_TO, as ISO 8601. */
export const findLastBackup = (database: Queryable) => findTime(database, LAST_BACKUP_NAME);

/** Finds the time of the last backup to a file or to standard output, as ISO 8601. */
export const findLastFileBackup = (database: Queryable) => findTime(database, LAST_FILE_NAME);

async function findTime(database: Queryable, name: string): Promise<string | null> {
  const row = await database.queryOne<{ at: string }>(sql`
    SELECT value::timestamptz AS at FROM installation WHERE name = ${name}`);
  return row?.at ?? null;
}

/** Gets the id in the names of this installation's backups: 12 hexadecimal digits. */
export async function getBackupId(database: Queryable): Promise<string> {
  await insertRow(database, BACKUP_ID_NAME, sql`${randomBytes(6).toString('hex')}`);
  const row = await database.queryOne<{ value: string }>(sql`
    SELECT value FROM installation WHERE name = ${BACKUP_ID_NAME}`);
  return row!.value;
}

/**
 * Reads the seconds since the last backup, or, without one, since servers began to make backups.
 * @returns null before they began.
 */
export async function readBackupAge(database: Queryable): Promise<number | null> {
  const row = await database.queryOne<{ age: number | null }>(sql`
    SELECT extract(epoch FROM now() - max(value::timestamptz))::float8 AS age
    FROM installation WHERE name IN (${LAST_BACKUP_NAME}, ${SINCE_NAME})`);
  return row!.age;
}

/**
 * Notes that servers make backups, and moves times in the future to now: the clock was set back, and from
 * such a time on no backup would be late for as long.
 */
export async function noteBackups(tx: Queryable): Promise<void> {
  await insertRow(tx, SINCE_NAME, sql`now()::text`);
  await tx.execute(sql`
    UPDATE installation SET value = now()::text
    WHERE CASE WHEN name IN (${LAST_BACKUP_NAME}, ${SINCE_NAME})
               THEN value::timestamptz > now() ELSE false END`);
}

/**
 * Forgets since when servers make backups: they make none any more. When they make some again, the last one is
 * not late at once.
 */
export async function forgetBackups(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM installation WHERE name IN (${SINCE_NAME}, ${TOLD_NAME})`);
}

/**
 * Notes whether administrators know that backups are late.
 * @returns false if that was noted already.
 */
export async function noteTold(tx: Queryable, is_told: boolean): Promise<boolean> {
  const changed = is_told
    ? await insertRow(tx, TOLD_NAME, sql`now()::text`)
    : await tx.execute(sql`DELETE FROM installation WHERE name = ${TOLD_NAME}`);
  return changed > 0;
}

const insertRow = (database: Queryable, name: string, value: ReturnType<typeof sql>) =>
  database.execute(sql`
    INSERT INTO installation (name, value) VALUES (${name}, ${value})
    ON CONFLICT (name) DO NOTHING`);
