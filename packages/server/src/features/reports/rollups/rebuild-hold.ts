import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { unavailable } from '../../../platform/errors.ts';

/**
 * Fails immediately if a rebuild of the game is running, so the client is asked to try again. Without this
 * check, a rebuild that has already read a player's events would store the player's counts again after an
 * erasure or a merge.
 * @returns true if a rebuild waits, which begins after the transaction at the earliest.
 */
export async function keepFromRebuild(tx: Queryable, game_id: string): Promise<boolean> {
  const waiting = await tx.execute(sql`
    SELECT FROM event_holds WHERE game_id = ${game_id} FOR KEY SHARE NOWAIT`);
  return waiting > 0;
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
  try {
    // A rebuild that has ended in between has not read what is changed.
    while (!(await pauseIngest(tx, game_id))) {
      if (await keepFromRebuild(tx, game_id)) return;
    }
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw unavailable('The events of the game are being counted, try again later', error);
  }
  await tx.execute(sql`UPDATE event_holds SET for_stats = true WHERE game_id = ${game_id}`);
}

const LOCK_NOT_AVAILABLE = '55P03';

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
