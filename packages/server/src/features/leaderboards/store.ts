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
      metadata, updated_at)
  SELECT game_id, environment, player_id, board_name, season, entry_number, score, seq, player_name,
    metadata, ${updated_at}
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
  | [entry_number: number, score: number, seq: number]
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
