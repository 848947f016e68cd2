import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * A rebuild that has already read the events of a player would bring the player back after an erasure
 * or a merge. While a rebuild of the game runs, PostgreSQL therefore refuses at once, and the caller is
 * asked to try again.
 */
export async function keepFromRebuild(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    SELECT FROM event_holds WHERE game_id = ${game_id} FOR KEY SHARE NOWAIT`);
}
