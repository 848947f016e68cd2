import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { unsealDaysOf, unsealDaysOfPlayer } from '../sealed/unseal.ts';
import { countEvents } from './event-rollups.ts';
import { keepFromRebuild } from './rebuild-hold.ts';
import { countSessions, storedSessions } from './session-rollups.ts';

/**
 * The maximum number of rows that one transaction erases. `eraseMost` also leaves up to this many rows of the
 * player in each table.
 */
const BATCH_ROWS = 2_000;

/**
 * Erases events and sessions of a player until few are left. Each of its short
 * transactions also subtracts the erased rows from the rollups, so the counts
 * are right even if the erasure is cut short. Ingest goes on meanwhile.
 * @param joinIngest Keeps a rebuild of the game from starting until the transaction ends. Ingest calls it for
 * the same purpose.
 */
export async function eraseMost(
  database: Database,
  joinIngest: (tx: Queryable) => Promise<void>,
  player: PlayerKey,
  batch_rows = BATCH_ROWS,
): Promise<void> {
  // It takes 70 ms for a month of a million events. The end of the erasure keeps ingest waiting.
  await retryDeadlocks(() => database.transaction((tx) => unsealDaysOfPlayer(tx, player)));
  for (const [table, erase] of [
    [sql`events`, eraseEvents],
    [sql`sessions`, eraseSessions],
  ] as const) {
    while (await hasMore(database, table, player, batch_rows)) {
      await retryDeadlocks(() =>
        database.transaction(async (tx) => {
          await joinIngest(tx);
          await keepFromRebuild(tx, player.game_id);
          await erase(tx, player, batch_rows);
        }),
      );
    }
  }
}

const hasMore = async (database: Queryable, table: Sql, player: PlayerKey, count: number) =>
  (await database.queryOne(sql`
    SELECT FROM ${table} WHERE ${isOfPlayer(player)} OFFSET ${count}::integer LIMIT 1`)) !== null;

async function eraseEvents(tx: Queryable, player: PlayerKey, count: number): Promise<void> {
  const { game_id, environment } = player;
  await tx.execute(sql`CREATE TEMPORARY TABLE erased_events (LIKE events) ON COMMIT DROP`);
  // Without these settings, the planner would join the chosen events with all events of a partition.
  await tx.execute(sql`
    SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`);
  await tx.execute(sql`
    WITH chosen AS MATERIALIZED (
      SELECT received_at, id FROM events WHERE ${isOfPlayer(player)}
      ORDER BY received_at, id
      LIMIT ${count}::integer
    ), erased AS (
      DELETE FROM events USING chosen
      WHERE events.game_id = ${game_id} AND events.environment = ${environment}
        AND events.received_at = chosen.received_at AND events.id = chosen.id
      RETURNING events.*
    )
    INSERT INTO erased_events SELECT * FROM erased`);
  await countEvents(tx, { from: sql`erased_events`, sign: -1 });
  // Ingest takes the locks of rollups first, too.
  await unsealDaysOf(tx, sql`erased_events`);
}

async function eraseSessions(tx: Queryable, player: PlayerKey, count: number): Promise<void> {
  await tx.execute(sql`CREATE TEMPORARY TABLE erased_sessions (LIKE sessions) ON COMMIT DROP`);
  await tx.execute(sql`
    WITH erased AS (
      DELETE FROM sessions
      WHERE ${isOfPlayer(player)} AND session_id = ANY (ARRAY(
        SELECT session_id FROM sessions WHERE ${isOfPlayer(player)}
        ORDER BY session_id
        LIMIT ${count}::integer))
      RETURNING *
    )
    INSERT INTO erased_sessions SELECT * FROM erased`);
  await countSessions(tx, { from: storedSessions(sql`erased_sessions`, sql`true`), sign: -1 });
}
