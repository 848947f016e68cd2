import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { rebuildRollups } from './rebuild.ts';
import type { RebuildOptions } from './rebuild.ts';

/**
 * Rebuilds the rollups of a game while servers run. First its events are held in the inbox, by a row
 * in `event_holds` that is committed when none of them is being worked off; acknowledged events are
 * safe there, and other games go on. Then one transaction makes the rollups anew and deletes the
 * row, so that each event is counted once: by the rebuild when it had been worked off, else later.
 * A rebuild that is cut short changes nothing; the row stays, and a server that runs or starts goes
 * on with it.
 * @param pauseIngest Holds a game's events, in the transaction that it is given.
 * @returns false when another node has rebuilt it meanwhile.
 */
export async function rebuildGame(
  database: Database,
  pauseIngest: (tx: Queryable, game_id: string) => Promise<void>,
  options: RebuildOptions,
): Promise<boolean> {
  await database.transaction((tx) => pauseIngest(tx, options.game_id));
  return database.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('statement_timeout', '0', true)`);
    const held = await tx.execute(sql`
      SELECT FROM event_holds WHERE game_id = ${options.game_id} FOR UPDATE`);
    if (held === 0) return false;
    await rebuildHeld(tx, options);
    return true;
  });
}

async function rebuildHeld(tx: Queryable, options: RebuildOptions): Promise<void> {
  const { game_id } = options;
  if (await rebuildRollups(tx, options)) {
    // What is left of a deleted game is erased some minutes later: nothing may be added after that.
    const kept = await tx.execute(sql`SELECT FROM games WHERE id = ${game_id} FOR KEY SHARE`);
    if (kept === 0) throw new Error('The game was deleted while its rollups were rebuilt');
  }
  await tx.execute(sql`DELETE FROM event_holds WHERE game_id = ${game_id}`);
}

export interface Rebuilder {
  /** Rebuilds the games that are held and that no other node is at; called by a timer. */
  run(): Promise<void>;
  /** Ends the rebuild under way at its next step; the next start begins it anew. */
  close(): void;
}

/** Goes on with rebuilds that were cut short, and makes the rollups that a migration asks for. */
export function createRebuilder(database: Database): Rebuilder {
  const closing = new AbortController();
  const rebuildNext = () =>
    database.transaction(async (tx) => {
      const held = await tx.queryOne<{ game_id: string }>(sql`
        SELECT game_id FROM event_holds ORDER BY held_at LIMIT 1 FOR UPDATE SKIP LOCKED`);
      if (held === null) return false;
      await rebuildHeld(tx, { game_id: held.game_id, signal: closing.signal });
      return true;
    });
  return {
    async run() {
      try {
        while (!closing.signal.aborted && (await rebuildNext()));
      } catch (error) {
        if (!closing.signal.aborted) throw error;
      }
    },
    close: () => closing.abort(),
  };
}
