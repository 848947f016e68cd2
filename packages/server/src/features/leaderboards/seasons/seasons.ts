import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { countNewBoard } from './new-boards.ts';
import {
  endSeason,
  hasBoard,
  insertBoard,
  insertSeason,
  listSeasons,
  lockBoard,
  lockLastSeason,
} from './season-store.ts';
import type { LockedSeason, Season } from './season-store.ts';
import type { BoardKey } from '../store.ts';

/** The error 404 that the dashboard gets for an unknown leaderboard. */
export const boardNotFound = () => notFound('Leaderboard not found');

/**
 * Prepares for the first score of a board or of a season: makes the board if there is none, and begins
 * the season that is due. A season begins when the one before it ends. If nobody plays for days, one
 * season covers these days, and no season without scores is made.
 * @param stranger_ip The address of a caller without a player token or a server key; null for other callers.
 * @throws ApiError 401 when the game of the key is gone, 403 when it has as many boards as it may have, 429
 * when the network of the stranger has made as many as it may.
 */
export async function openSeason(
  database: GroupedDatabase,
  board: BoardKey,
  stranger_ip: string | null,
  now: Date,
): Promise<void> {
  const { game_id, board_name } = board;
  const group = database.ofGame(game_id);
  if (stranger_ip !== null && !(await hasBoard(group, game_id, board_name))) {
    await countNewBoard(database, game_id, stranger_ip);
  }
  await group.transaction(async (tx) => {
    if ((await insertBoard(tx, game_id, board_name)) === null) {
      throw new ApiError(401, 'Invalid API key');
    }
    await lockBoard(tx, game_id, board_name);
    await beginDueSeason(tx, board, now);
  });
}

/**
 * Begins a new season immediately, whatever the schedule says.
 * @throws ApiError 404 when there is no such board.
 */
export async function resetBoard(
  database: Database,
  board: BoardKey,
  actor: Actor,
  now: Date,
): Promise<Season> {
  return database.transaction(async (tx) => {
    const { game_id, environment, board_name } = board;
    if (!(await lockBoard(tx, game_id, board_name))) throw boardNotFound();
    const current = await beginDueSeason(tx, board, now);
    const next = await beginNextSeason(tx, current, now, now);
    await insertAuditEntry(tx, { actor, game_id }, 'reset_leaderboard', board_name, {
      environment,
      season: next.season,
    });
    const [season] = await listSeasons(tx, board, null, 1, now);
    return season!;
  });
}

/** Locks the season that is current at `now`, or begins it if it is due. The board must be locked. */
export async function beginDueSeason(
  tx: Queryable,
  board: BoardKey,
  now: Date,
): Promise<LockedSeason> {
  const last = await lockLastSeason(tx, board);
  if (last === null) return insertSeason(tx, { ...board, season: 1 }, now, now);
  if (last.ends_at === null || new Date(last.ends_at) > now) return last;
  return beginNextSeason(tx, last, new Date(last.ends_at), now);
}

async function beginNextSeason(
  tx: Queryable,
  last: LockedSeason,
  ended_at: Date,
  now: Date,
): Promise<LockedSeason> {
  await endSeason(tx, last, ended_at, now);
  return insertSeason(tx, { ...last, season: last.season + 1 }, ended_at, now);
}
