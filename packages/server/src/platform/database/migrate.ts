import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
/** Any fixed number. Nodes that start together take the lock and migrate one after the other. */
const MIGRATION_LOCK = 7_301_984;

/** This release cannot serve the database. The message is one sentence for the user. */
export class MigrationError extends Error {}

/**
 * Brings the schema up to this release, forward only, each migration in a transaction of its own.
 * Several nodes may call it at once.
 * @param options.last Stops after this migration. A backup is first loaded into the schema of its own
 * release.
 * @returns the names of the migrations that were applied now.
 * @throws MigrationError when the database was made by a newer release.
 */
export async function migrate(
  database: Database,
  options: { last?: string } = {},
): Promise<string[]> {
  const files = await listMigrations();
  const client = await database.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`
      CREATE TABLE IF NOT EXISTS migrations (
        name text PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT now()
      )`);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const applied = new Set(rows.map(({ name }) => name));
    const unknown = [...applied].filter((name) => !files.includes(name));
    if (unknown.length > 0) {
      throw new MigrationError(
        `The database was migrated by a newer release of Overworld (${unknown.join(', ')}): start that release, or restore a backup made by this one.`,
      );
    }
    const { last } = options;
    const pending = files.filter(
      (name) => !applied.has(name) && (last === undefined || name <= last),
    );
    for (const name of pending) await apply(client, name);
    // Before the first ANALYZE a join with unnest can take a second.
    if (pending.length > 0) await client.query('ANALYZE');
    return pending;
  } finally {
    // Ends the session, and with it the lock.
    client.release(true);
  }
}

/** The newest migration of a migrated database. */
export async function findLastMigration(database: Database): Promise<string | null> {
  const last = await database.queryOne<{ name: string }>(
    sql`SELECT name FROM migrations ORDER BY name DESC LIMIT 1`,
  );
  return last && last.name;
}

/** All migrations of this release, in order. */
export async function listMigrations(): Promise<string[]> {
  const names = await readdir(FOLDER);
  return names.filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).toSorted();
}

async function apply(client: pg.PoolClient, name: string): Promise<void> {
  const text = await readFile(new URL(name, FOLDER), 'utf8');
  await client.query('BEGIN');
  try {
    await client.query(text);
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${name} failed`, { cause: error });
  }
}
