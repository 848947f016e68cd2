import type { MergeChanges, SaveRule } from '@overworld/contract/players/merges';
import type { Database, Queryable } from '../database/database.ts';
import { selectCount } from '../database/select-count.ts';
import type { Sql } from '../database/sql.ts';
import { conflict } from '../errors.ts';
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
 * The player data of one feature. `app.ts` passes the sources of all features to the players feature, which
 * can then export, merge and erase players without knowing the other features.
 */
export interface PlayerDataSource {
  /** The member of the export that contains the data, such as `saves`. */
  name: string;
  /**
   * Reads the data in a form that `writeJson` can write. Data that may not fit into memory is read page by
   * page, and is written as one array. The pages come from different snapshots of the database.
   */
  exportPlayer(
    database: Database,
    player: PlayerKey,
  ): Promise<unknown> | AsyncGenerator<readonly unknown[]>;
  /**
   * Called before `deletePlayer`. Erases data in short
   * transactions, so that little is left for `deletePlayer`.
   */
  eraseMost?(database: Database, player: PlayerKey): Promise<void>;
  /** Erases the data in the transaction that deletes the player. */
  deletePlayer(tx: Queryable, player: PlayerKey): Promise<void>;
  /**
   * Refuses to merge a player who has more data than can be moved
   * while ingest is stopped. Called before ingest is stopped.
   * @throws ApiError 409.
   */
  requireMovable?(tx: Queryable, from: PlayerKey): Promise<void>;
  /**
   * Moves all data in the transaction that deletes `from`.
   * @returns The changes that callers see.
   * @throws ApiError 409 when the player would exceed a limit.
   */
  mergePlayer(tx: Queryable, merge: Merge): Promise<Partial<MergeChanges>>;
}

/**
 * Refuses a merge if the player who would be deleted has more than `most` rows in `of`.
 * @param of The table and the condition that select the rows; see `selectCount`.
 * @throws ApiError 409 when there are too many rows.
 */
export async function requireAtMost(
  tx: Queryable,
  most: number,
  things: string,
  of: Sql,
): Promise<void> {
  const count = await selectCount(tx, of);
  if (count <= most) return;
  throw conflict(
    `The player of from_player_id has ${count} ${things}, and a player who ends can have at most ${most}`,
  );
}

/**
 * Reads rows page by page, so that only one page is in memory.
 * @param size The number of rows in a full page.
 * @param read Reads a page with the rows after `last`; null stands for the beginning.
 */
export async function* readPages<Row>(
  size: number,
  read: (last: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows: Row[];
  let last: Row | null = null;
  do {
    rows = await read(last);
    yield rows;
    last = rows.at(-1) ?? null;
  } while (rows.length === size);
}
