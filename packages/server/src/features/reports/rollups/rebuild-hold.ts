import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { unavailable } from '../../../platform/errors.ts';

/**
 * Fails immediately if a rebuild of the game is running, so the client is asked to try again. Without this
 * check, a rebuild that has already read a player's events would store the player's counts again after an
 * erasure or a merge.
 */
export async function keepFromRebuild(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    SELECT FROM event_holds WHERE game_id = ${game_id} FOR KEY SHARE NOWAIT`);
}

/**
 * Asks, in the transaction of a change, for the statistics of the game with a new source to be counted, which
 * pauses ingest of the game from the commit on.
 * @param pauseIngest Pauses ingest of the game in the transaction that it is given; false if it was paused before.
 * @throws ApiError 503 while the game is being counted, because what is changed may have been read.
 */
export async function askRecount(
  tx: Queryable,
  game_id: string,
  pauseIngest: (tx: Queryable, game_id: string) => Promise<boolean>,
): Promise<void> {
  if (await pauseIngest(tx, game_id)) {
    await tx.execute(sql`UPDATE event_holds SET for_stats = true WHERE game_id = ${game_id}`);
    return;
  }
  try {
    await keepFromRebuild(tx, game_id);
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw unavailable('The events of the game are being counted, try again later', error);
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
