import { ENVIRONMENTS } from '@overworld/contract/common';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { badRequest, conflict } from '../../../platform/errors.ts';
import { changeGame } from '../../../platform/game-change.ts';
import {
  insertBoard,
  insertNewBoard,
  lockBoard,
  lockLastSeason,
  updateSeason,
} from './season-store.ts';
import { beginDueSeason, boardNotFound } from './seasons.ts';
import { placeGifts } from '../rewards/known-gifts.ts';
import type { RequireKnown } from '../rewards/known-gifts.ts';
import { requireSoundRewards } from '../rewards/reward-ranks.ts';
import { deleteBoardRows, updateSettings } from './settings-store.ts';
import type { Settings, StoredSettings } from './settings-store.ts';

interface PutBoard {
  actor: Actor;
  now: Date;
  /** True to refuse the call if the board exists already. */
  only_new: boolean;
  requireKnown: RequireKnown;
}

/**
 * Makes the board or changes its settings, in both environments.
 * @throws ApiError 400 for settings that contradict each other, or that name what the game does not have, 404 when there is no such game, and 409 when
 * `only_new` is true and the board exists.
 */
export async function putBoard(
  database: Database,
  { game_id, board_name }: { game_id: string; board_name: string },
  settings: Settings,
  { actor, now, only_new, requireKnown }: PutBoard,
): Promise<StoredSettings> {
  requireSoundSettings(settings);
  // The lock of the game keeps settings as they are while a plan of files is compared with them and applied.
  return retryDeadlocks(() =>
    changeGame(database, { game_id, actor }, async (tx, record) => {
      await requireKnown(tx, game_id, placeGifts(settings.season_rewards));
      // If another request deletes the board between the insert and the lock, the loop makes it again.
      do {
        const made = await insertBoard(tx, game_id, board_name);
        if (only_new && !made) {
          throw conflict('board_name is taken: the board exists already');
        }
      } while (!(await lockBoard(tx, game_id, board_name)));
      const stored = await storeSettings(tx, { game_id, board_name }, settings, now);
      await record('put_leaderboard', board_name, { ...settings });
      return stored;
    }),
  );
}

/** @throws ApiError 400 for settings that contradict each other. */
export function requireSoundSettings(settings: Settings): void {
  const { min_score, max_score, min_submit_interval_ms, keeps_ledger, keeps } = settings;
  if (min_score !== null && max_score !== null && min_score > max_score) {
    throw badRequest('max_score must not be less than min_score');
  }
  requireSoundRewards(settings.season_rewards);
  if (keeps !== 'best' && settings.on_violation === 'quarantine') {
    throw badRequest(
      `on_violation must be refuse on a board that keeps the ${keeps}: a later score would count before one that waits`,
    );
  }
  if (keeps === 'sum' && settings.first_gain_from !== null) {
    throw badRequest(
      'first_gain_from must be null on a board that keeps the sum: each player begins at 0',
    );
  }
  if (min_submit_interval_ms !== null && !keeps_ledger) {
    throw badRequest('min_submit_interval_ms needs the ledger: set keeps_ledger to true');
  }
}

/** Stores the settings of a board that is locked. */
async function storeSettings(
  tx: Queryable,
  { game_id, board_name }: { game_id: string; board_name: string },
  settings: Settings,
  now: Date,
): Promise<StoredSettings> {
  // If a season is over according to the old schedule, it must end before the schedule changes.
  for (const environment of ENVIRONMENTS) {
    const board = { game_id, environment, board_name };
    if ((await lockLastSeason(tx, board)) !== null) await beginDueSeason(tx, board, now);
  }
  const stored = await updateSettings(tx, game_id, board_name, settings);
  for (const environment of ENVIRONMENTS) {
    const season = await lockLastSeason(tx, { game_id, environment, board_name });
    if (season !== null) await updateSeason(tx, season, now);
  }
  return stored;
}

/**
 * Makes a board, within a transaction that holds the lock of the game. The caller has counted the boards.
 * @throws ApiError 409 when the board exists.
 */
export async function makeBoard(
  tx: Queryable,
  key: { game_id: string; board_name: string },
  settings: Settings,
): Promise<void> {
  const made = await insertNewBoard(tx, key.game_id, key.board_name);
  if (!made) throw conflict('The board exists already');
  await updateSettings(tx, key.game_id, key.board_name, settings);
}

/** Changes a board, within a transaction. @throws ApiError 404 when there is no such board. */
export async function changeBoard(
  tx: Queryable,
  key: { game_id: string; board_name: string },
  settings: Settings,
  now: Date,
): Promise<void> {
  if (!(await lockBoard(tx, key.game_id, key.board_name))) throw boardNotFound();
  await storeSettings(tx, key, settings, now);
}

/**
 * Deletes the board with all its entries, in both environments.
 * @throws ApiError 404 when there is no such board.
 */
export async function deleteBoard(
  database: Database,
  { game_id, board_name }: { game_id: string; board_name: string },
  actor: Actor,
): Promise<void> {
  await database.transaction(async (tx) => {
    await removeBoard(tx, { game_id, board_name });
    await insertAuditEntry(tx, { actor, game_id }, 'delete_leaderboard', board_name);
  });
}

/** Deletes the board within a transaction. @throws ApiError 404 when there is no such board. */
export async function removeBoard(
  tx: Queryable,
  { game_id, board_name }: { game_id: string; board_name: string },
): Promise<void> {
  if (!(await lockBoard(tx, game_id, board_name))) throw boardNotFound();
  await deleteBoardRows(tx, game_id, board_name);
}
