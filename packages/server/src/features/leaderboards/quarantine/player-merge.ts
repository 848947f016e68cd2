import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfPlayer, isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { lockBoards } from './bans.ts';
import { renameScores } from './decision-store.ts';
import type { Decision } from './decision-store.ts';
import { selectTieKey } from '../tie-break.ts';
import { banScores } from './hidden-scores.ts';

/**
 * Locks the boards to which the bans apply, so that none of these boards begins a season meanwhile.
 * @returns the names of the boards.
 */
export async function lockBannedBoards(
  tx: Queryable,
  game_id: string,
  bans: readonly Decision[],
): Promise<string[]> {
  if (bans.some(({ board_name }) => board_name === null)) return lockBoards(tx, game_id, null);
  const boards: string[] = [];
  for (const { board_name } of bans) boards.push(...(await lockBoards(tx, game_id, board_name)));
  return boards;
}

/** Returns the ban that is in force in a season. */
export const findBan = (bans: readonly Decision[], season: LockedSeason): Decision | null =>
  bans.find(({ board_name }) => board_name === null || board_name === season.board_name) ?? null;

/**
 * Moves all bans of the player `from` to the player who stays, including bans that were undone. If the player
 * who stays already has the same ban, the ban of `from` is undone, and the scores that it hid are hidden by
 * the ban of the player who stays.
 */
export async function moveBans(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
  bans: readonly Decision[],
): Promise<void> {
  const { game_id, environment } = from;
  for (const { decision_id, board_name } of bans) {
    const ended = await tx.queryOne<{ same_id: string }>(sql`
      UPDATE leaderboard_decisions AS ban SET undone_at = now()
      FROM leaderboard_decisions AS same
      WHERE ban.game_id = ${game_id} AND ban.environment = ${environment}
        AND ban.decision_id = ${decision_id}
        AND same.game_id = ${game_id} AND same.environment = ${environment}
        AND same.player_id = ${player.player_id} AND same.board_name = ${board_name ?? ''}
        AND same.kind = 'ban' AND same.undone_at IS NULL
      RETURNING same.decision_id AS same_id`);
    if (ended === null) continue;
    await tx.execute(sql`
      UPDATE leaderboard_held_scores SET decision_id = ${ended.same_id}
      WHERE ${isOfPlayer(from)} AND decision_id = ${decision_id}`);
  }
  await renameScores(tx, from, player.player_id);
  await tx.execute(sql`
    UPDATE leaderboard_decisions SET player_id = ${player.player_id} WHERE ${isOfPlayer(from)}`);
}

/** Hides the public and waiting scores of players in each locked season to which one of the bans applies. */
export async function hideBanned(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  bans: readonly Decision[],
  player_ids: readonly string[],
): Promise<SeasonChange[]> {
  const changes: SeasonChange[] = [];
  for (const ban of bans) {
    const banned = seasons.filter((season) => findBan(bans, season) === ban);
    if (banned.length === 0) continue;
    changes.push(...(await banScores(tx, banned, player_ids, ban.decision_id)).changes);
  }
  return changes;
}

/**
 * Moves the waiting and hidden scores of the player `from`. In a season, a player has at most one waiting
 * score. For each decision, a player has at most one hidden score that was public, and one that was waiting.
 * If both players have such a score, the better one stays, or the earlier one if they are equally good. On a
 * board that keeps the latest score, the later one stays; on one that keeps the sum, they are added up.
 */
export async function moveHidden(tx: Queryable, player: PlayerKey, from: PlayerKey): Promise<void> {
  const ids = [player.player_id, from.player_id];
  const rows = await tx.query<{ held_id: string; rank: number; sum: number | null }>(sql`
    SELECT held_id, CASE WHEN keeps = 'sum' THEN sum(score) OVER same END AS sum,
      row_number() OVER (same
        ORDER BY CASE WHEN keeps <> 'best' THEN -seq
            WHEN sort_order = 'ascending' THEN score ELSE -score END,
          ${selectTieKey(sql`tie_break`, sql`tie_value`)}, seq, held_id) AS rank
    FROM (
      SELECT held.*, sort_order, keeps, tie_break, CASE WHEN state = 'waiting' THEN 'waiting' ELSE
          concat_ws(' ', state, decision_id, rule IS NULL) END AS kind
      FROM leaderboard_held_scores AS held
      JOIN leaderboard_seasons USING (game_id, environment, board_name, season)
      WHERE ${isOfTenant(player)} AND player_id = ANY(${ids}::text[])
    ) AS both_players
    WINDOW same AS (PARTITION BY board_name, season, kind)`);
  const are_theirs = sql`${isOfTenant(player)} AND player_id = ANY(${ids}::text[])`;
  const dropped = rows.filter(({ rank }) => rank > 1).map(({ held_id }) => held_id);
  if (dropped.length > 0) {
    await tx.execute(sql`
      DELETE FROM leaderboard_held_scores
      WHERE ${are_theirs} AND held_id = ANY(${dropped}::uuid[])`);
  }
  const summed = rows.filter(({ rank, sum }) => rank === 1 && sum !== null);
  if (summed.length > 0) {
    await tx.execute(sql`
      UPDATE leaderboard_held_scores SET score = summed.score
      FROM unnest(${summed.map(({ held_id }) => held_id)}::uuid[],
                  ${summed.map(({ sum }) => sum)}::float8[]) AS summed (held_id, score)
      WHERE ${are_theirs} AND leaderboard_held_scores.held_id = summed.held_id`);
  }
  await tx.execute(sql`
    UPDATE leaderboard_held_scores SET player_id = ${player.player_id}
    WHERE ${isOfPlayer(from)}`);
}
