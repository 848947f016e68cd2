import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import type { ConnectionSettings } from '../../packages/server/src/platform/database/open-database.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';

/** Finds the port of the worker that holds a group of games. */
export const findWorkerPort = (connection: ConnectionSettings, schema: string): Promise<number> =>
  withDatabase(connection, async (database) => {
    const row = await database.queryOne<{ port: number }>(sql`
      SELECT nodeport AS port
      FROM pg_dist_shard
      JOIN pg_dist_placement USING (shardid)
      JOIN pg_dist_node USING (groupid)
      WHERE logicalrelid = ${`${schema}.event_usage`}::regclass`);
    return row!.port;
  });

const MOVE_PATIENCE_MS = 60_000;
const LEFTOVER = 'leftover from the previous move could not be cleaned up';
const DEADLOCK_DETECTED = '40P01';

/**
 * Moves a group to another worker while its games are played. Citus refuses the move while it still removes
 * the copy that an earlier move left there, and may give up the move to resolve a deadlock. In both cases
 * the move is requested again.
 * @returns how often the move was requested.
 */
export async function moveGroup(
  connection: ConnectionSettings,
  schema: string,
  port: number,
): Promise<number> {
  const give_up_at = performance.now() + MOVE_PATIENCE_MS;
  for (let asked = 1; ; asked++) {
    try {
      await withDatabase(connection, (database) =>
        database.execute(sql`
          SELECT citus_schema_move(${schema}::regnamespace, '127.0.0.1'::text, ${port}::integer)`),
      );
      return asked;
    } catch (error) {
      if (!isTemporary(error) || performance.now() > give_up_at) throw error;
      await sleep(1_000);
    }
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message.includes(LEFTOVER) || ('code' in error && error.code === DEADLOCK_DETECTED));

/**
 * Counts the prepared transactions on these nodes: parts of distributed transactions that are neither
 * committed nor rolled back.
 */
export async function countPrepared(connections: readonly ConnectionSettings[]): Promise<number> {
  let count = 0;
  for (const connection of connections) {
    await withDatabase(connection, async (database) => {
      const row = await database.queryOne<{ count: number }>(
        sql`SELECT count(*) AS count FROM pg_prepared_xacts`,
      );
      count += row!.count;
    });
  }
  return count;
}
