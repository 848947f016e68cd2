import type { MergeChanges } from '@overworld/contract/players/merges';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Merge } from '../../../platform/players/player-data-source.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { listBans } from '../quarantine/decision-store.ts';
import {
  findBan,
  hideBanned,
  lockBannedBoards,
  moveBans,
  moveHidden,
} from '../quarantine/player-merge.ts';
import { changesOfAll, storeSeasonChanges } from '../seasons/season-changes.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import { lockedColumns, seasonsWith } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { mergeEntries } from './merged-entries.ts';

/**
 * Joins the scores of two players in all seasons, and moves the bans and hidden scores of `from` to `player`. On a board from which one of the players is banned, the scores of both are hidden. The caller
 * must have locked the game, so that no board can be made meanwhile.
 */
export async function mergeScores(
  tx: Queryable,
  { player, from }: Merge,
): Promise<Pick<MergeChanges, 'scores' | 'bans'>> {
  const ended_bans = await listBans(tx, from.game_id, from.environment, from.player_id);
  const boards = await lockBannedBoards(tx, from.game_id, ended_bans);
  const seasons = await lockSeasonsOfBoth(tx, player, from, boards);
  await moveBans(tx, player, from, ended_bans);
  const bans = await listBans(tx, player.game_id, player.environment, player.player_id);
  const open = seasons.filter((season) => findBan(bans, season) === null);
  const ids = [player.player_id, from.player_id] as const;
  const { scores, changes } = await mergeEntries(tx, open, ...ids);
  const hidden = await hideBanned(tx, seasons, bans, ids);
  await moveHidden(tx, player, from);
  await storeSeasonChanges(tx, changesOfAll(seasons, joinChanges([...changes, ...hidden])));
  return { scores, bans: ended_bans.map(({ board_name }) => board_name) };
}

/**
 * Locks all seasons in which `from` has a score. Of each board in `boards`, also locks the current season and
 * all seasons in which `player` has a score. Locks them in the same order as submits do.
 */
function lockSeasonsOfBoth(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
  boards: readonly string[],
): Promise<LockedSeason[]> {
  return tx.query<LockedSeason>(sql`
    SELECT ${lockedColumns}
    FROM leaderboard_seasons AS season
    WHERE ${isOfTenant(player)} AND (
      (board_name, season) IN (${seasonsWith(from)})
      OR (board_name = ANY(${[...boards]}::text[]) AND (
        (board_name, season) IN (${seasonsWith(player)})
        OR season = (
          SELECT max(last.season) FROM leaderboard_seasons AS last
          WHERE last.game_id = season.game_id AND last.environment = season.environment
            AND last.board_name = season.board_name))))
    ORDER BY board_name COLLATE "C", season
    FOR NO KEY UPDATE OF season`);
}

/** Joins all changes of the same season into one change. */
function joinChanges(changes: readonly SeasonChange[]): SeasonChange[] {
  const joined = new Map<LockedSeason, SeasonChange>();
  for (const change of changes) {
    const before = joined.get(change.season);
    joined.set(change.season, {
      season: change.season,
      entries: [...(before?.entries ?? []), ...change.entries],
      added_entries: (before?.added_entries ?? 0) + change.added_entries,
      new_numbers: (before?.new_numbers ?? 0) + change.new_numbers,
    });
  }
  return [...joined.values()];
}
