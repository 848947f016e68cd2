import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { forEachGroup } from '../../../platform/database/each-group.ts';
import { sql } from '../../../platform/database/sql.ts';
import { keepGame, tryLockGame } from '../../../platform/game-lock.ts';
import { rebuildRollups } from './rebuild.ts';
import type { RebuildOptions } from './rebuild.ts';
import { recountDays } from './recount-days.ts';
import {
  createZoneProgress,
  deleteZoneChange,
  findZoneChange,
  isWaiting,
  listZoneChanges,
} from './zone-changes.ts';

/**
 * Rebuilds the rollups (stored daily numbers) of a game while servers run. It first pauses ingest of the game
 * by a row in `event_holds`. When this row is committed, no node ingests events of the game. Acknowledged
 * events are safe in the inbox, and other games go on. Then one transaction rebuilds the rollups and deletes
 * the row. So each event is counted once, either by the rebuild or by ingest afterwards. A rebuild that is
 * cut short changes nothing. Its row stays, and a server that runs or starts repeats the rebuild.
 * @param pauseIngest Pauses ingest of the game in the transaction that it is given.
 * @returns false when another node has rebuilt the game meanwhile.
 */
export async function rebuildGame(
  database: Database,
  pauseIngest: (tx: Queryable, game_id: string) => Promise<unknown>,
  options: RebuildOptions,
): Promise<boolean> {
  const { game_id } = options;
  for (;;) {
    const paused = await database.transaction(async (tx) => {
      await pauseIngest(tx, game_id);
      return tx.queryOne<{ for_stats: boolean }>(sql`
        SELECT for_stats FROM event_holds WHERE game_id = ${game_id}`);
    });
    const is_done = await database.transaction(async (tx) => {
      await tx.execute(sql`SELECT set_config('statement_timeout', '0', true)`);
      const still_paused = await tx.execute(sql`
        SELECT FROM event_holds WHERE game_id = ${game_id} FOR UPDATE`);
      if (still_paused === 0) return false;
      await moveDays(tx, options);
      await finish(tx, options, await rebuildRollups(tx, options));
      return true;
    });
    // Another node may have counted statistics alone meanwhile.
    if (is_done || paused?.for_stats !== true) return is_done;
  }
}

/**
 * Moves the days of a paused game to another time zone.
 * @returns true if the rollups were rebuilt with the days of the new time zone.
 */
async function moveDays(tx: Queryable, options: RebuildOptions): Promise<boolean> {
  const { game_id } = options;
  const time_zone = await findZoneChange(tx, game_id);
  if (time_zone === null) return false;
  const has_written = await recountDays(tx, { ...options, time_zone });
  // From now on, changes to the game wait. So the game is locked as late as possible. But such changes first
  // lock the game and then other rows, so the game must be locked here before those rows.
  if (has_written && !(await tryLockGame(tx, game_id))) throw gameIsGone();
  await deleteZoneChange(tx, game_id);
  if (!has_written) return false;
  // Reports use the new zone from the commit on.
  await tx.execute(sql`UPDATE games SET time_zone = ${time_zone} WHERE id = ${game_id}`);
  return true;
}

/** @param which `new` if only statistics with a new source are counted, and the rollups are as before. */
async function finish(
  tx: Queryable,
  { game_id, forgetKept, recountStats }: RebuildOptions,
  has_written: boolean,
  which: 'all' | 'new' = 'all',
): Promise<void> {
  if (has_written) {
    await recountStats?.(tx, game_id, which);
    // If the game was deleted meanwhile, no rows may be added: some minutes after the deletion, the remaining
    // rows of the game are erased.
    if (!(await keepGame(tx, game_id))) throw gameIsGone();
    // From now on, readers of the cached numbers wait. So the cache is emptied as late as possible.
    if (which === 'all') await forgetKept?.(tx, game_id);
  }
  await tx.execute(sql`DELETE FROM event_holds WHERE game_id = ${game_id}`);
}

const isThere = async (tx: Queryable, game_id: string): Promise<boolean> =>
  (await tx.execute(sql`SELECT FROM games WHERE id = ${game_id}`)) > 0;

const gameIsGone = () => new Error('The game was deleted while its rollups were rebuilt');

/**
 * Repeats rebuilds that were cut short, builds the rollups that a migration requests, and moves the days of
 * games to other time zones. Until a game is done, its reports use the old zone.
 * @param pauseIngest Pauses ingest of the game in the transaction that it is given.
 * @param parts.forgetKept Deletes what other features have cached from the rollups.
 * @param parts.recountStats Counts statistics of players anew.
 */
export function createRebuilder(
  database: GroupedDatabase,
  pauseIngest: (tx: Queryable, game_id: string) => Promise<unknown>,
  { forgetKept, recountStats }: Pick<RebuildOptions, 'forgetKept' | 'recountStats'> = {},
) {
  const closing = new AbortController();
  const rebuildNext = (group: Database) =>
    group.transaction(async (tx) => {
      const paused = await tx.queryOne<{ game_id: string; for_stats: boolean }>(sql`
        SELECT game_id, for_stats FROM event_holds ORDER BY held_at LIMIT 1 FOR UPDATE SKIP LOCKED`);
      if (paused === null) return false;
      const { game_id, for_stats } = paused;
      const progress = createZoneProgress(database, game_id);
      const parts = { forgetKept, recountStats };
      const options = { game_id, ...parts, signal: closing.signal, onProgress: progress.note };
      const is_moved = await moveDays(tx, options);
      if (for_stats && !is_moved) await finish(tx, options, await isThere(tx, game_id), 'new');
      else await finish(tx, options, is_moved || (await rebuildRollups(tx, options)));
      return true;
    });
  /**
   * Pauses ingest of the game that has waited longest for another zone. Ingest of the other games goes on
   * until it is their turn.
   */
  const pauseNext = async (group: Database, game_ids: readonly string[]) => {
    for (const game_id of game_ids) {
      if (!(await isWaiting(group, game_id))) continue;
      return group.transaction(async (tx) => {
        // Another node may have finished the change meanwhile.
        if ((await findZoneChange(tx, game_id)) === null) return false;
        await pauseIngest(tx, game_id);
        return true;
      });
    }
    return false;
  };
  const rebuildAll = async () => {
    const changing = await listZoneChanges(database);
    await database.learnGames(changing);
    const groups = database.groups.entries();
    await forEachGroup([...groups], async ([number, group]) => {
      const game_ids = changing.filter((game_id) => database.groupOf(game_id) === number);
      while (
        !closing.signal.aborted &&
        ((await rebuildNext(group)) || (await pauseNext(group, game_ids)))
      );
    });
  };
  return {
    /** Rebuilds the paused games that no other node is rebuilding. A timer calls this. */
    async run() {
      try {
        await rebuildAll();
      } catch (error) {
        if (!closing.signal.aborted) throw error;
      }
    },
    /** Stops the current rebuild before its next step. The next start repeats the rebuild. */
    close: () => closing.abort(),
  };
}
