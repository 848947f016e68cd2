import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Database } from './database.ts';
import { allowTriggers, bindTriggerFunctions, hasCitus } from './cluster/citus.ts';
import { GROUP_COUNT_NAME, schemaOf } from './group-directory.ts';
import { inTransaction } from './in-transaction.ts';
import { makeGroups } from './make-groups.ts';
import { MigrationError } from './migration-error.ts';
import { splitStatements } from './split-statements.ts';
import { sql } from './sql.ts';
import { orderTexts } from './text-order.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
/**
 * The key of an advisory lock; any fixed number will do. Under this lock, nodes that start together migrate
 * one after the other.
 */
const MIGRATION_LOCK = 7_301_984;

interface MigrationOptions {
  /**
   * The last migration to apply. A restore sets it, to load a backup into the schema of the backup's own
   * release.
   */
  last?: string;
  /** The number of groups. Default: one for a new installation, otherwise the number that it has. */
  groups?: number | null;
}

/**
 * Migrates the schema forward to this release, each migration in a transaction of its own. Several nodes may
 * call this function at the same time.
 * @returns the names of the migrations that were applied now.
 * @throws MigrationError when the database was made by a newer release or has another number of groups, when
 * another program has made a schema with the same name as a group's schema, or when a migration refuses data.
 */
export async function migrate(
  database: Database,
  { last, groups = null }: MigrationOptions = {},
): Promise<string[]> {
  const files = await listMigrations();
  const client = await database.connect();
  try {
    await client.query('SET statement_timeout = 0');
    if (await hasCitus(client)) await allowTriggers(client);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`
      CREATE TABLE IF NOT EXISTS migrations (
        name text PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT now()
      )`);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const applied = new Set(rows.map(({ name }) => name));
    refuseNewer(applied, files);
    const known_groups = applied.has(GROUPS_MIGRATION) ? await readGroupCount(client) : null;
    if (known_groups !== null) {
      refuseOtherGroups(known_groups, groups);
      if (known_groups > 1) await makeGroups(client, known_groups);
    }
    const pending = files.filter(
      (name) => !applied.has(name) && (last === undefined || name <= last),
    );
    for (const name of pending) {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      await applyMigration(client, { name, text }, known_groups ?? 1);
    }
    const ordered = await orderTexts(client);
    if (known_groups === null && [...applied, ...pending].includes(GROUPS_MIGRATION)) {
      const decided = await decideGroups(client, groups);
      if (decided > 1) await makeGroups(client, decided);
    }
    // Without the statistics of a first ANALYZE, a join with unnest can take a second.
    if (pending.length + ordered > 0) await client.query('ANALYZE');
    return pending;
  } finally {
    // Ends the session, which releases the lock.
    client.release(true);
  }
}

function refuseNewer(applied: ReadonlySet<string>, files: readonly string[]): void {
  const unknown = [...applied].filter((name) => !files.includes(name));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database was migrated by a newer release of Overworld (${unknown.join(', ')}): start that release, or restore a backup made by this one.`,
  );
}

/**
 * Lists the migrations of this release that a database does not have yet.
 * @throws MigrationError when the database was made by a newer release.
 */
export async function listPending(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`SELECT name FROM migrations`);
  const applied = new Set(rows.map(({ name }) => name));
  const files = await listMigrations();
  refuseNewer(applied, files);
  return files.filter((name) => !applied.has(name));
}

/** The migration that introduced groups of games. */
const GROUPS_MIGRATION = '0055_tenant_groups.sql';

/** Tells whether installations can have groups after this migration. */
export const hasGroups = (migration: string): boolean => migration >= GROUPS_MIGRATION;

async function readGroupCount(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ value: string }>(
    'SELECT value FROM installation WHERE name = $1',
    [GROUP_COUNT_NAME],
  );
  return rows[0] === undefined ? null : Number(rows[0].value);
}

/**
 * Decides the number of groups, which never changes afterwards. An installation that is already in use gets
 * one group.
 */
async function decideGroups(client: pg.ClientBase, wanted: number | null): Promise<number> {
  const { rowCount } = await client.query(
    'SELECT FROM accounts UNION ALL SELECT FROM games UNION ALL SELECT FROM game_deletions LIMIT 1',
  );
  if (rowCount !== 0) refuseOtherGroups(1, wanted);
  const decided = wanted ?? 1;
  await client.query('INSERT INTO installation (name, value) VALUES ($1, $2)', [
    GROUP_COUNT_NAME,
    String(decided),
  ]);
  return decided;
}

function refuseOtherGroups(count: number, wanted: number | null): void {
  if (wanted === null || wanted === count) return;
  throw new MigrationError(
    `TENANT_GROUPS is ${wanted}, but this installation was made with ${count}, which never changes: set TENANT_GROUPS to ${count}, or leave it out.`,
  );
}

/** Finds the newest migration that was applied to the database. */
export async function findLastMigration(database: Database): Promise<string | null> {
  const last = await database.queryOne<{ name: string }>(
    sql`SELECT name FROM migrations ORDER BY name DESC LIMIT 1`,
  );
  return last && last.name;
}

/** Lists the file names of all migrations of this release, in order. */
export async function listMigrations(): Promise<string[]> {
  const names = await readdir(FOLDER);
  return names.filter((name) => /^\d{4}_[a-z_]+(\.group)?\.sql$/.test(name)).toSorted();
}

/** The SQLSTATE of RAISE, by which a migration refuses data that the new schema cannot hold. */
const RAISED_EXCEPTION = 'P0001';

/**
 * Applies a migration once, or, if its name ends with `.group.sql`, once in each group. Groups that already
 * have the migration are skipped.
 */
export async function applyMigration(
  client: pg.ClientBase,
  { name, text }: { name: string; text: string },
  groups: number,
): Promise<void> {
  try {
    const schemas = name.endsWith('.group.sql') && groups > 1 ? groups : 0;
    for (let group = 0; group < schemas; group++) {
      await applyToGroup(client, { name, text }, group);
    }
    await inTransaction(client, async () => {
      if (schemas === 0) await runAll(client, text);
      else await client.query('DELETE FROM group_migrations WHERE name = $1', [name]);
      await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    });
  } catch (error) {
    const isRefusal = error instanceof Error && 'code' in error && error.code === RAISED_EXCEPTION;
    throw isRefusal
      ? new MigrationError(error.message)
      : new Error(`Migration ${name} failed`, { cause: error });
  }
}

async function applyToGroup(
  client: pg.ClientBase,
  { name, text }: { name: string; text: string },
  group: number,
): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM group_migrations WHERE name = $1 AND tenant_group = $2',
    [name, group],
  );
  if (rowCount !== 0) return;
  await inTransaction(client, async () => {
    await client.query(`SET LOCAL search_path = ${schemaOf(group)}, public`);
    await runAll(client, text);
    if (await hasCitus(client)) await bindTriggerFunctions(client, schemaOf(group));
    await client.query('INSERT INTO group_migrations (name, tenant_group) VALUES ($1, $2)', [
      name,
      group,
    ]);
  });
}

async function runAll(client: pg.ClientBase, text: string): Promise<void> {
  for (const statement of splitStatements(text)) await client.query(statement);
}
