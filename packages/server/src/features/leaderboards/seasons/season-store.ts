import type { Keeps, TieBreak } from '@overworld/contract/leaderboards/kept-scores';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import type { SuccessOf } from '@overworld/contract/operation';
import type { listLeaderboardSeasons } from '@overworld/contract/leaderboards/entries';
import type { Queryable } from '../../../platform/database/database.ts';
import { selectCount } from '../../../platform/database/select-count.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { keepGame, tryLockGame } from '../../../platform/game-lock.ts';
import { requireRoom } from '../../../platform/limits/limits.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { beginRewards } from '../rewards/reward-runs.ts';
import { nextVersion, ofBoard, ofSeason } from '../store.ts';
import type { BoardKey, SeasonKey } from '../store.ts';
import { postSeasonEnd } from './season-ends.ts';
import type { EndedSeason } from './season-ends.ts';

/** A season whose row is locked. */
export interface LockedSeason extends SeasonKey {
  version: number;
  ends_at: string | null;
  sort_order: SortOrder;
  keeps: Keeps;
  tie_break: TieBreak;
  next_entry_number: number;
}

/** SQL of the columns of `LockedSeason`. */
export const lockedColumns = sql`game_id, environment, board_name, season, version, ends_at, sort_order,
  keeps, tie_break, next_entry_number`;

/** SQL that selects the boards and numbers of the seasons in which a player has a score, public or hidden. */
export const seasonsWith = (player: PlayerKey): Sql => sql`
  SELECT board_name, season FROM leaderboard_entries WHERE ${isOfPlayer(player)}
  UNION ALL
  SELECT board_name, season FROM leaderboard_held_scores WHERE ${isOfPlayer(player)}`;

/** Locks a season by its number. */
export async function lockSeason(tx: Queryable, season: SeasonKey): Promise<LockedSeason | null> {
  return tx.queryOne(sql`
    SELECT ${lockedColumns}
    FROM leaderboard_seasons
    WHERE ${ofSeason(season)}
    FOR NO KEY UPDATE`);
}

/**
 * SQL for the first midnight after `now` at which a schedule ends a season; null without a schedule. It
 * reads the column `time_zone` of the game.
 */
export const nextReset = (reset_schedule: Sql, now: Date): Sql => sql`
  CASE ${reset_schedule}
    WHEN 'daily' THEN
      date_trunc('day', ${now}::timestamptz AT TIME ZONE time_zone) + interval '1 day'
    WHEN 'weekly' THEN
      date_trunc('week', ${now}::timestamptz AT TIME ZONE time_zone) + interval '1 week'
    WHEN 'monthly' THEN
      date_trunc('month', ${now}::timestamptz AT TIME ZONE time_zone) + interval '1 month'
  END AT TIME ZONE time_zone`;

/**
 * Makes the board if there is none.
 * @returns true if it made the board, false if the board existed; null when the game is gone.
 * @throws ApiError 403 when the game has as many boards as it may have.
 */
export async function insertBoard(
  tx: Queryable,
  game_id: string,
  board_name: string,
): Promise<boolean | null> {
  if (await hasBoard(tx, game_id, board_name)) {
    return (await keepGame(tx, game_id)) ? false : null;
  }
  // Without this lock, two boards that are made at the same time would not count each other.
  if (!(await tryLockGame(tx, game_id))) return null;
  if (await hasBoard(tx, game_id, board_name)) return false;
  await requireRoom(tx, game_id, 'leaderboards', await countBoards(tx, game_id));
  return insertNewBoard(tx, game_id, board_name);
}

/** Makes the board, unless there is one. The caller holds the lock of the game, and has counted its boards. */
export async function insertNewBoard(
  tx: Queryable,
  game_id: string,
  board_name: string,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    INSERT INTO leaderboards (game_id, board_name) VALUES (${game_id}, ${board_name})
    ON CONFLICT DO NOTHING`);
  return inserted > 0;
}

export const countBoards = (database: Queryable, game_id: string): Promise<number> =>
  selectCount(database, sql`leaderboards WHERE game_id = ${game_id}`);

/** Tells whether the board exists; takes no lock. */
export async function hasBoard(
  database: Queryable,
  game_id: string,
  board_name: string,
): Promise<boolean> {
  const row = await database.queryOne(sql`
    SELECT FROM leaderboards WHERE game_id = ${game_id} AND board_name = ${board_name}`);
  return row !== null;
}

/** Locks a board, so a change of its settings and the beginning of one of its seasons wait for each other. */
export async function lockBoard(
  tx: Queryable,
  game_id: string,
  board_name: string,
): Promise<boolean> {
  const locked = await tx.execute(sql`
    SELECT FROM leaderboards
    WHERE game_id = ${game_id} AND board_name = ${board_name}
    FOR NO KEY UPDATE`);
  return locked > 0;
}

/** Locks the newest season: the current one, or the last one if its schedule has ended it. */
export async function lockLastSeason(tx: Queryable, board: BoardKey): Promise<LockedSeason | null> {
  return tx.queryOne(sql`
    SELECT ${lockedColumns}
    FROM leaderboard_seasons
    WHERE ${ofBoard(board)}
    ORDER BY season DESC
    LIMIT 1
    FOR NO KEY UPDATE`);
}

/** Begins a season with the settings of its board. */
export async function insertSeason(
  tx: Queryable,
  { game_id, environment, board_name, season }: SeasonKey,
  started_at: Date,
  now: Date,
): Promise<LockedSeason> {
  const row = await tx.queryOne<LockedSeason>(sql`
    INSERT INTO leaderboard_seasons
      (game_id, environment, board_name, season, sort_order, keeps, tie_break, version, started_at,
        ends_at)
    SELECT game_id, ${environment}, board_name, ${season}, sort_order, keeps, tie_break,
      ${nextVersion(0)},
      ${started_at}, ${nextReset(sql`reset_schedule`, now)}
    FROM leaderboards
    JOIN games ON games.id = game_id
    WHERE game_id = ${game_id} AND board_name = ${board_name}
    RETURNING leaderboard_seasons.game_id, environment, board_name, season, version, ends_at,
      leaderboard_seasons.sort_order, leaderboard_seasons.keeps, leaderboard_seasons.tie_break,
      next_entry_number`);
  return row!;
}

/** Ends a season for good. Servers with a copy of the season must load it again. */
export async function endSeason(
  tx: Queryable,
  season: LockedSeason,
  ended_at: Date,
  now: Date,
): Promise<void> {
  const ended = await tx.queryOne<EndedSeason & { is_news: boolean }>(sql`
    UPDATE leaderboard_seasons AS season
    SET ended_at = ${ended_at}, version = ${nextVersion(season.version)},
        end_announced_at = COALESCE(season.end_announced_at, ${now})
    FROM (
      SELECT end_announced_at IS NULL AS is_news FROM leaderboard_seasons
      WHERE ${ofSeason(season)}
    ) AS before
    WHERE ${ofSeason(season, sql`season`)}
    RETURNING total_entries, started_at, season.ended_at, is_news`);
  if (ended?.is_news) await postSeasonEnd(tx, season, ended);
  await beginRewards(tx, [season]);
  await tx.execute(sql`
    DELETE FROM leaderboard_changes WHERE ${ofSeason(season)}`);
}

/**
 * Copies the present settings of the board to its current season. A season in which a score was ever stored
 * keeps its `keeps` and `tie_break`.
 */
export async function updateSeason(tx: Queryable, season: LockedSeason, now: Date): Promise<void> {
  const version = nextVersion(season.version);
  const { game_id, environment, board_name } = season;
  const row = await tx.queryOne<{ is_reordered: boolean }>(sql`
    UPDATE leaderboard_seasons AS season
    SET version = ${version}, sort_order = leaderboards.sort_order,
      keeps = CASE WHEN season.next_seq = 1 THEN leaderboards.keeps ELSE season.keeps END,
      tie_break =
        CASE WHEN season.next_seq = 1 THEN leaderboards.tie_break ELSE season.tie_break END,
      ends_at = ${nextReset(sql`reset_schedule`, now)}
    FROM leaderboards
    JOIN games ON games.id = leaderboards.game_id, leaderboard_seasons AS before
    WHERE leaderboards.game_id = ${game_id} AND leaderboards.board_name = ${board_name}
      AND before.game_id = ${game_id} AND before.environment = ${environment}
      AND before.board_name = ${board_name} AND before.season = ${season.season}
      AND season.game_id = ${game_id} AND season.environment = ${environment}
      AND season.board_name = ${board_name} AND season.season = ${season.season}
    RETURNING before.sort_order <> season.sort_order OR before.tie_break <> season.tie_break
      AS is_reordered`);
  // If the order has changed, no change is logged. Servers then load their copies of the season again,
  // in the new order.
  if (row!.is_reordered) return;
  await tx.execute(sql`
    INSERT INTO leaderboard_changes
      (game_id, environment, board_name, season, version, previous_version, changes)
    VALUES (${game_id}, ${environment}, ${board_name}, ${season.season}, ${version},
            ${season.version}, '[]')`);
}

export type Season = SuccessOf<typeof listLeaderboardSeasons>['seasons'][number];

/**
 * Lists the seasons whose numbers are less than `before`, the newest first. A season past its scheduled end
 * counts as ended.
 */
export async function listSeasons(
  database: Queryable,
  board: BoardKey,
  before: number | null,
  limit: number,
  now: Date,
): Promise<Season[]> {
  return database.query(sql`
    SELECT season, sort_order AS order, keeps, tie_break, total_entries, started_at, ends_at,
      coalesce(ended_at, CASE WHEN ends_at <= ${now} THEN ends_at END) AS ended_at,
      EXISTS (
        SELECT FROM leaderboard_reward_runs AS run
        WHERE ${ofBoard(board)} AND run.season = leaderboard_seasons.season) AS is_rewarded
    FROM leaderboard_seasons
    WHERE ${ofBoard(board)} AND (${before}::integer IS NULL OR season < ${before})
    ORDER BY season DESC
    LIMIT ${limit}`);
}
