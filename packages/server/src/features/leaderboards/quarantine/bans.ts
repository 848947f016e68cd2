import { randomUUID } from 'node:crypto';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { sql } from '../../../platform/database/sql.ts';
import { conflict } from '../../../platform/errors.ts';
import { lockGame } from '../../../platform/game-lock.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { lockPlayer } from '../../../platform/players/player-lock.ts';
import { changesOfAll, storeSeasonChanges } from '../seasons/season-changes.ts';
import { lockedColumns, seasonsWith } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { boardNotFound } from '../seasons/seasons.ts';
import { insertDecision } from './decision-store.ts';
import type { Decision } from './decision-store.ts';
import { banScores } from './hidden-scores.ts';

/**
 * Bans a player from a board, or from all boards of an environment: the player's scores of all seasons
 * are hidden, and submits are refused. Each current season gets a new version, which makes all servers
 * look up bans from then on.
 * @param board_name Null for all boards, also those that are made later.
 * @throws ApiError 404 when there is no such board, and 409 if the player is banned there already.
 */
export function banPlayer(
  database: Database,
  player: PlayerKey,
  { board_name, reason }: { board_name: string | null; reason: string | null },
  actor: Actor,
): Promise<Decision> {
  const ban = async (tx: Queryable) => {
    const { game_id, environment, player_id } = player;
    // While the game is locked, no board can be made, and no merge can move
    // scores to the player. The ban would miss such boards and scores.
    await lockGame(tx, game_id);
    const boards = await lockBoards(tx, game_id, board_name);
    if (board_name !== null && boards.length === 0) throw boardNotFound();
    const seasons = await lockSeasonsForBan(tx, player, boards);
    await lockPlayer(tx, player);
    const decision_id = randomUUID();
    const { scores, changes } = await banScores(tx, seasons, [player_id], decision_id);
    const decision = await insertDecision(
      tx,
      { game_id, environment, board_name: board_name ?? '' },
      { decision_id, kind: 'ban', player_id, reason, score_count: scores.length, scores },
      actor,
    );
    if (decision === null) throw conflict('The player is banned already');
    await storeSeasonChanges(tx, changesOfAll(seasons, changes));
    await insertAuditEntry(
      tx,
      { actor, game_id },
      'ban_leaderboard_player',
      board_name ?? 'all boards',
      { environment, player_id, decision_id, reason },
    );
    return decision;
  };
  return retryDeadlocks(() => database.transaction(ban));
}

/** Locks a board or all boards of a game, so that no season begins meanwhile. @returns their names. */
export async function lockBoards(
  tx: Queryable,
  game_id: string,
  board_name: string | null,
): Promise<string[]> {
  const rows = await tx.query<{ board_name: string }>(sql`
    SELECT board_name FROM leaderboards
    WHERE game_id = ${game_id} AND (${board_name === null} OR board_name = ${board_name})
    ORDER BY board_name COLLATE "C"
    FOR NO KEY UPDATE`);
  return rows.map((row) => row.board_name);
}

/**
 * Locks the current seasons of boards, and the other seasons in which the player has a score, even a
 * hidden one.
 */
async function lockSeasonsForBan(
  tx: Queryable,
  player: PlayerKey,
  boards: readonly string[],
): Promise<LockedSeason[]> {
  return tx.query(sql`
    SELECT ${lockedColumns}
    FROM leaderboard_seasons AS season
    WHERE ${isOfTenant(player)} AND board_name = ANY(${[...boards]}::text[]) AND (
        season = (
          SELECT max(last.season) FROM leaderboard_seasons AS last
          WHERE last.game_id = ${player.game_id} AND last.environment = ${player.environment}
            AND last.board_name = season.board_name)
        OR (board_name, season) IN (${seasonsWith(player)}))
    ORDER BY board_name COLLATE "C", season
    FOR NO KEY UPDATE OF season`);
}
