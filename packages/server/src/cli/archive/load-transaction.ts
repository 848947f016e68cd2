import type pg from 'pg';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { chooseGroup, schemaOf } from '../../platform/database/group-directory.ts';

/**
 * The number of the advisory lock under which games are loaded one after the other. Any fixed number would
 * do.
 */
const NEW_GAME_LOCK = 7_301_993;

/** Runs `work` in one transaction, on a connection that is closed when `work` fails. */
export async function withClientInTransaction<T>(
  database: Database,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Loads a new game in one transaction, into the group with the fewest games. If there are several groups,
 * loads of other games wait for the commit. Before it they would not count this game, and might choose the
 * same group.
 * @param work Inserts the game with its rows.
 */
export function withNewGame<T>(
  database: GroupedDatabase,
  game_id: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  return withClientInTransaction(database, async (client) => {
    if (database.groups.length === 1) return work(client);
    await client.query('SELECT pg_advisory_xact_lock($1)', [NEW_GAME_LOCK]);
    const group = await database.transaction((tx) => chooseGroup(database, tx));
    await client.query(`SET LOCAL search_path = ${schemaOf(group)}, public`);
    const result = await work(client);
    await client.query('UPDATE games SET tenant_group = $1 WHERE id = $2', [group, game_id]);
    return result;
  });
}
