import type pg from 'pg';
import { hasCitus, listPlacements } from '../../../platform/database/cluster/citus.ts';
import type { Database } from '../../../platform/database/database.ts';
import { schemaOf } from '../../../platform/database/group-directory.ts';
import { ArchiveError } from './archive-error.ts';

/**
 * Connections that only read. They see the database as it was at a fixed moment, without the changes that
 * others make later.
 */
export interface Moment {
  /** The connection that sees the tables of the installation. */
  installation: pg.ClientBase;
  /**
   * The connection that sees the tables of groups. It is `installation`, unless a cluster holds the groups.
   */
  groups: pg.ClientBase;
  /** The name of the last migration of the schema. */
  migration: string;
  /**
   * The ids of the games that exist at the moment of the installation. An archive leaves out rows of other
   * games. On a cluster, the tables of a group may have such rows: a game may have been deleted after the
   * moment of the group and before the moment of the installation. Null without a cluster, where that is
   * impossible.
   */
  known_games: ReadonlySet<string> | null;
}

/** Keeps PostgreSQL from closing a connection that waits while the other connection reads. */
const WAIT = 'SET idle_in_transaction_session_timeout = 0';
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * Runs `work` on the database as of one moment. On a Citus cluster, each node has a moment of its own. But a
 * group is on one node, so all data of a group is of the same moment. The tables of the installation have the
 * latest moment.
 * @param groups The groups that `work` reads; empty for an installation with one group.
 * @throws ArchiveError if the schema is migrated, or a group moves to another node, while `work` runs.
 */
export async function atOneMoment(
  database: Database,
  groups: readonly number[],
  work: (moment: Moment) => Promise<void>,
): Promise<void> {
  const installation = await database.connect();
  const opened = [installation];
  try {
    await installation.query(WAIT);
    const is_spread = groups.length > 0 && (await hasCitus(installation));
    const placements = is_spread ? await listPlacements(installation, groups.map(schemaOf)) : '';
    if (is_spread) opened.unshift(await beginOnNodes(database, groups));
    await installation.query(BEGIN);
    const migration = await readMigration(installation, groups.length > 0);
    const known_games = is_spread ? await readGames(installation) : null;
    await work({ installation, groups: opened[0]!, migration, known_games });
    await installation.query('COMMIT');
    if ((await readMigration(installation, groups.length > 0)) !== migration) {
      throw new ArchiveError(
        'The database was migrated while it was read, so nothing was written: run the command again.',
      );
    }
    if (is_spread && (await listPlacements(installation, groups.map(schemaOf))) !== placements) {
      throw new ArchiveError(
        'A group of games moved to another node while it was read, so nothing was written: run the command again when no group is moving.',
      );
    }
  } finally {
    for (const client of opened) client.release(true);
  }
}

/** Begins a transaction. On the node of each group, fixes the moment that the transaction sees. */
async function beginOnNodes(database: Database, groups: readonly number[]): Promise<pg.PoolClient> {
  const client = await database.connect();
  try {
    await client.query(WAIT);
    await client.query(BEGIN);
    for (const group of groups) {
      await client.query(`SELECT 1 FROM ${schemaOf(group)}.event_holds LIMIT 1`);
    }
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Finds the last migration.
 * @throws ArchiveError while a migration has reached some groups but not all.
 */
async function readMigration(client: pg.ClientBase, has_groups: boolean): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY name DESC LIMIT 1',
  );
  const partial = has_groups
    ? await client.query('SELECT 1 FROM group_migrations LIMIT 1')
    : { rowCount: 0 };
  if (rows.length === 0 || partial.rowCount !== 0) {
    throw new ArchiveError(
      'A migration of the database has not ended: run overworld migrate, and then this command again.',
    );
  }
  return rows[0]!.name;
}

async function readGames(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM games');
  return new Set(rows.map(({ id }) => id));
}
