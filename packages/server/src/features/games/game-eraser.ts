import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';

/**
 * The maximum number of rows that one transaction deletes. To delete so many players, with their entries in
 * indexes, takes 75 ms, so a million players take 40 s.
 */
const BATCH_ROWS = 2_000;
/** Time between sweeps over a game. When a game gets no batch for this time, another server takes over. */
const SWEEP_INTERVAL_SECONDS = 30;
/**
 * For this time after a deletion, late writes may still reach the tables: writes from queues, from a
 * statement that runs for 30 s, or from a server that has lost its connection. A game is fully erased
 * when a sweep after this time finds no rows.
 */
const LATE_WRITE_MINUTES = 5;

/**
 * Erases the data of deleted games from every table with a column `game_id`; a new feature need not add
 * its tables to a list. The audit log stays. Each batch is one short transaction, and one server at a
 * time erases a game; after a crash, any server can go on.
 */
export function createGameEraser(database: GroupedDatabase) {
  let closed = false;

  const sweep = async (game_id: string): Promise<number> => {
    const game = database.ofGame(game_id);
    let erased = 0;
    for (const table of await listGameTables(game)) {
      let deleted: number;
      do {
        if (closed) return erased;
        deleted = await deleteBatch(game, game_id, table);
        erased += deleted;
      } while (deleted === BATCH_ROWS);
    }
    return erased;
  };

  return {
    /** Erases deleted games; called by a timer. */
    async run() {
      for (;;) {
        const deletion = closed ? null : await claimDeletion(database);
        if (deletion === null) return;
        const { game_id, is_quiet } = deletion;
        const erased = await sweep(game_id);
        if (is_quiet && erased === 0 && !closed) await finishDeletion(database, game_id);
      }
    },
    /** Stops after the current batch. After the next start, the eraser goes on. */
    close() {
      closed = true;
    },
  };
}

interface Deletion {
  game_id: string;
  /** True if no late write can be under way any more. */
  is_quiet: boolean;
}

async function claimDeletion(database: Database): Promise<Deletion | null> {
  return database.queryOne<Deletion>(sql`
    UPDATE game_deletions
    SET next_sweep_at = now() + ${SWEEP_INTERVAL_SECONDS}::integer * interval '1 second'
    WHERE game_id = (
      SELECT game_id FROM game_deletions
      WHERE next_sweep_at <= now()
      ORDER BY next_sweep_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING game_id,
      deleted_at < now() - ${LATE_WRITE_MINUTES}::integer * interval '1 minute' AS is_quiet`);
}

async function finishDeletion(database: Database, game_id: string): Promise<void> {
  await database.execute(sql`DELETE FROM game_deletions WHERE game_id = ${game_id}`);
}

/** The names in SQL of the tables and partitions that have rows of a game. */
async function listGameTables(database: Database): Promise<string[]> {
  const tables = await database.query<{ name: string }>(sql`
    SELECT pg_class.oid::regclass::text AS name
    FROM pg_class
    JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'game_id' AND NOT attisdropped
    WHERE relnamespace = ANY (current_schemas(false)::text[]::regnamespace[]) AND relkind = 'r'
      AND relname NOT IN ('audit_log', 'game_deletions')
    ORDER BY relname`);
  return tables.map(({ name }) => name);
}

/** @param table The table's name as the catalog gives it, in quotes where SQL needs quotes. */
async function deleteBatch(database: Database, game_id: string, table: string): Promise<number> {
  return database.transaction(async (tx) => {
    // Without these settings, the planner would read a large table from its start for every batch.
    await tx.execute(sql`
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`);
    await tx.execute(sql`
      UPDATE game_deletions
      SET next_sweep_at = now() + ${SWEEP_INTERVAL_SECONDS}::integer * interval '1 second'
      WHERE game_id = ${game_id}`);
    return tx.execute({
      text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM ${table} WHERE game_id = $1 LIMIT ${BATCH_ROWS}))`,
      values: [game_id],
    });
  });
}
