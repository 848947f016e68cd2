import type { MergeChanges, SaveRule } from '@overworld/contract/players/merges';
import type { Database, Queryable } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import type { PlayerKey } from './player-key.ts';

/** Two players to be merged: `from` is deleted, and its data becomes data of `player`. */
export interface Merge {
  player: PlayerKey;
  from: PlayerKey;
  /** True if `from` was merged into `player` before, and somebody has made a player of that id again. */
  is_repeat: boolean;
  /** Decides which save is kept if both players have a save in the same slot. */
  saves: SaveRule;
}

/**
 * The value of a column if both players of a merge have a row with the same key. `keep` takes the value of the
 * player who stays, and SQL computes a value from both rows, `known` of the player who stays and `EXCLUDED`.
 * `latest` compares one column by itself. To take all columns of the newer row, compare its time in each of them.
 * A column with the rule `reset` does not move: a moved row has the default.
 */
export type ColumnRule = 'keep' | 'earliest' | 'latest' | 'sum' | 'reset' | Sql;

/** Joins the rows of two players. Rows of which only one player has the key stay or move as they are. */
export interface JoinRule {
  /** The columns of the primary key after the key of the player; none if a player has one row. */
  key: readonly string[];
  /** The rule of each other column. */
  columns: Readonly<Record<string, ColumnRule>>;
  /** Runs the statement that joins the rows, and returns the changes that callers see. */
  run?(tx: Queryable, join: Sql): Promise<Partial<MergeChanges>>;
}

/** A table with the column `player_id`. One source declares it. */
export interface PlayerTable {
  table: string;
  /** The rule for the rows of the player who ends. `by_hand`: `mergePlayer` of the source moves them. */
  merge: 'move' | 'delete' | 'by_hand' | JoinRule;
  /** `by_hand` if `erasePlayer` of the source erases the rows. Otherwise an erasure deletes them. */
  erase?: 'by_hand';
  /** The most rows of a player who ends. A merge of a player with more rows is refused. */
  most_merged?: { rows: number; things: string };
}

/**
 * The player data of one feature. `app.ts` passes the sources of all features to the players feature, which
 * can then export, merge and erase players without knowing the other features.
 */
export interface PlayerDataSource {
  /** The member of the export that contains the data, such as `saves`. */
  name: string;
  /** The tables with the data. They are erased and merged in this order. */
  tables: readonly PlayerTable[];
  /**
   * Reads the data in a form that `writeJson` can write. Pages are written as one array; they come from
   * different snapshots of the database. `exportRows` makes this function for rows of a table.
   */
  exportPlayer(
    database: Database,
    player: PlayerKey,
  ): Promise<unknown> | AsyncGenerator<readonly unknown[]>;
  /**
   * Called before the erasure. Erases data in short transactions, so that little is left for the transaction
   * that deletes the player.
   */
  eraseMost?(database: Database, player: PlayerKey): Promise<void>;
  /**
   * Called before the rows of `tables` are deleted, in the transaction that deletes the player. Takes locks,
   * and erases data for which a deletion of rows is not enough.
   */
  erasePlayer?(tx: Queryable, player: PlayerKey): Promise<void>;
  /**
   * Called before the rows of `tables` are merged, in the transaction that deletes `from`. Takes locks, and
   * moves the data that no rule of a table moves.
   * @returns The changes that callers see.
   * @throws ApiError 409 when the player would exceed a limit.
   */
  mergePlayer?(tx: Queryable, merge: Merge): Promise<Partial<MergeChanges> | void>;
}
