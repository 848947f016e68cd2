import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * Fails immediately if a rebuild of the game is running, so the client is asked to try again. Without this
 * check, a rebuild that has already read a player's events would store the player's counts again after an
 * erasure or a merge.
 */
export async function keepFromRebuild(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    SELECT FROM event_holds WHERE game_id = ${game_id} FOR KEY SHARE NOWAIT`);
}
