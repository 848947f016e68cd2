import type { Environment } from '@overworld/contract/common';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { BoardPolicy } from './rules.ts';

/** The key of a board in one environment. */
export interface BoardKey {
  game_id: string;
  environment: Environment;
  board_name: string;
}

export interface SeasonKey extends BoardKey {
  season: number;
}

/**
 * Returns one text that names a season of a board (null for the current season). Maps use it as key, and
 * seasons are locked in its order.
 */
export const nameOfSeason = (
  { game_id, environment, board_name }: BoardKey,
  season: number | null,
): string => `${game_id} ${environment} ${season ?? ''} ${board_name}`;

/** SQL that is true for the rows of a board. */
export const ofBoard = ({ game_id, environment, board_name }: BoardKey): Sql => sql`
  game_id = ${game_id} AND environment = ${environment} AND board_name = ${board_name}`;

/**
 * SQL that is true for the rows of a season. @param table Must be given in statements in which several tables
 * have these columns.
 */
export const ofSeason = (season: SeasonKey, table: Sql | null = null): Sql => {
  const { game_id, environment, board_name } = season;
  return table === null
    ? sql`${ofBoard(season)} AND season = ${season.season}`
    : sql`${table}.game_id = ${game_id} AND ${table}.environment = ${environment}
        AND ${table}.board_name = ${board_name} AND ${table}.season = ${season.season}`;
};

/** Makes the arguments of `unnest` for `game_id, environment, board_name, season`. */
export const seasonArrays = (
  seasons: readonly (BoardKey & { season: number | null })[],
): Sql => sql`
  ${seasons.map(({ game_id }) => game_id)}::uuid[],
  ${seasons.map(({ environment }) => environment)}::environment[],
  ${seasons.map(({ board_name }) => board_name)}::text[],
  ${seasons.map(({ season }) => season)}::integer[]`;

/** SQL that stores new entries, one for each row of `rows`. */
export const insertEntriesOf = (rows: Sql, updated_at: Sql): Sql => sql`
  INSERT INTO leaderboard_entries
    (game_id, environment, player_id, board_name, season, entry_number, score, seq, player_name,
      metadata, updated_at, tie_value)
  SELECT game_id, environment, player_id, board_name, season, entry_number, score, seq, player_name,
    metadata, ${updated_at}, tie_value
  FROM ${rows}`;

/** The scores that a board accepts. */
export interface Bounds {
  min_score: number | null;
  max_score: number | null;
}

/** A board as it is stored at one moment. */
export interface BoardState extends Bounds {
  /** The requested season; null when there is none. */
  season: SeasonState | null;
}

export interface SeasonState {
  number: number;
  sort_order: SortOrder;
  version: number;
  total_entries: number;
  next_entry_number: number;
  next_seq: number;
  /** The time when the schedule ends the season, in milliseconds since 1970; null if only a reset ends it. */
  ends_at: number | null;
  /** For this many milliseconds from now, changes of the season are still logged; null if they never were. */
  followed_ms: number | null;
  /** Changes since the version that the caller knows; null when the caller knows the current version. */
  changes: LoggedChange[] | null;
  /** Null when the caller knows the current version. */
  policy: BoardPolicy | null;
}

/** The change from one version of a season to the next. */
export interface LoggedChange {
  version: number;
  previous_version: number;
  entries: EntryChange[];
}

/** An entry with its new score and seq, or without both if the entry was removed. */
export type EntryChange =
  | [entry_number: number, score: number, seq: number, tie_value?: number | null]
  | [entry_number: number];

export interface Entry {
  entry_number: number;
  player_id: string;
  score: number;
  seq: number;
  player_name: string | null;
  /** JSON text. */
  metadata: string | null;
  updated_at: string;
  /** Null on boards without a tie-break. */
  tie_value: number | null;
}

/** Writes the members of an entry in an answer as JSON, without its rank and without braces. */
export function writeEntryMembers(entry: Omit<Entry, 'entry_number' | 'seq'>): string {
  const { player_id, player_name, score, metadata, updated_at, tie_value } = entry;
  return (
    `"player_id":${JSON.stringify(player_id)},` +
    `"player_name":${player_name === null ? 'null' : JSON.stringify(player_name)},` +
    `"score":${score},"metadata":${metadata ?? 'null'},"updated_at":"${updated_at}"` +
    (tie_value === null ? '' : `,"tie_value":${tie_value}`)
  );
}

/** A score that waits for a decision. */
export type WaitingScore = Omit<Entry, 'entry_number'>;

/** Runs `read` in a transaction in which all statements see the same moment. */
export async function readAtOneMoment<T>(
  database: Database,
  read: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    return read(tx);
  });
}

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

/** @param columns SQL for the members of an `EntryChange`. */
export const loggedChanges = (columns = sql`entry_number, score, seq`): Sql => sql`
  logged AS (
    INSERT INTO leaderboard_changes
      (game_id, environment, board_name, season, version, previous_version, changes)
    SELECT game_id, environment, board_name, season, next_version, version,
      (SELECT coalesce(json_agg(json_build_array(${columns})), '[]') FROM changed
       WHERE changed.board = raised.board)::text
    FROM raised
    WHERE is_followed
  )`;
