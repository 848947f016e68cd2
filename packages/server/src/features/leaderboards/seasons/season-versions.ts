import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/** The result of raising the version of a season: the first free numbers for new scores and entries. */
export interface Raised {
  /** The `seq` of the first new score of the season. It is one higher for each further score. */
  first_seq: number;
  /** The `entry_number` of the first new entry. */
  first_entry_number: number;
  /** True if the change is logged for servers that follow the season with a copy in memory. */
  is_followed: boolean;
}

/**
 * Returns the version that follows `version`. It is usually the time in microseconds since 1970. A counter
 * would repeat old versions after a board was deleted and made again, or restored. The time does not.
 */
export const nextVersion = (version: number): number => Math.max(version + 1, Date.now() * 1000);

/** SQL that is true if the row `season` of `leaderboard_seasons` is the season of `row`. */
export const isSeasonOf = (row: Sql): Sql => sql`
  season.game_id = ${row}.game_id AND season.environment = ${row}.environment
  AND season.board_name = ${row}.board_name AND season.season = ${row}.season`;

/**
 * SQL that is true if the row `entry` of `leaderboard_entries` is the entry of a player in the season of
 * `row`.
 */
export const isEntryOf = (row: Sql, player_id: Sql): Sql => sql`
  entry.game_id = ${row}.game_id AND entry.environment = ${row}.environment
  AND entry.player_id = ${player_id} AND entry.board_name = ${row}.board_name
  AND entry.season = ${row}.season`;

/**
 * SQL for common table expressions that raise the versions of the seasons in `wanted`. A season is skipped
 * if its version is no longer the one from which the changes were computed. The statement must also define
 * a table expression `changed` with the changed entries. `loggedChanges` logs these entries for the servers
 * that follow the season.
 */
export const raisedSeasons = (wanted: Sql): Sql => sql`
  locked AS MATERIALIZED (
    SELECT wanted.*, is_followed
    FROM ${wanted} AS wanted
    CROSS JOIN LATERAL (
      SELECT coalesce(followed_until > now(), false) AS is_followed
      FROM leaderboard_seasons AS season
      WHERE ${isSeasonOf(sql`wanted`)} AND season.version = wanted.version
      -- A transaction with the lock is about to overtake, or deletes a board for seconds.
      FOR NO KEY UPDATE SKIP LOCKED
    ) AS season
  ), raised AS (
    UPDATE leaderboard_seasons AS season
    SET version = next_version, next_seq = next_seq + seq_count,
      next_entry_number = next_entry_number + entry_count,
      total_entries = total_entries + entry_count
    FROM locked
    WHERE ${isSeasonOf(sql`locked`)}
    RETURNING locked.*, next_seq - seq_count AS first_seq,
      next_entry_number - entry_count AS first_entry_number
  )`;

export const loggedChanges = sql`
  logged AS (
    INSERT INTO leaderboard_changes
      (game_id, environment, board_name, season, version, previous_version, changes)
    SELECT game_id, environment, board_name, season, next_version, version,
      (SELECT coalesce(json_agg(json_build_array(entry_number, score, seq)), '[]') FROM changed
       WHERE changed.board = raised.board)::text
    FROM raised
    WHERE is_followed
  )`;
