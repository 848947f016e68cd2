import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * A rebuild of the game would bring a player back who is erased or ends, because it has read the events
 * before. While one runs, PostgreSQL refuses at once, and the caller is asked to try again.
 */
export async function keepFromRebuild(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    SELECT FROM event_holds WHERE game_id = ${game_id} FOR KEY SHARE NOWAIT`);
}
