import type { MergeChanges, SaveRule } from '@overworld/contract/players/merges';
import type { Queryable } from '../database/database.ts';
import { selectCount } from '../database/select-count.ts';
import type { Sql } from '../database/sql.ts';
import { conflict } from '../errors.ts';
import type { PlayerKey } from './player-key.ts';

/** Two players to be merged: `from` ends, and its data becomes data of `player`. */
export interface Merge {
  player: PlayerKey;
  from: PlayerKey;
  /** Which save a slot keeps when both have one. */
  saves: SaveRule;
}

/**
 * The player data of one feature. With these, `app.ts` lets the players feature export, merge and erase
 * players everywhere without knowing the other features.
 */
export interface PlayerDataSource {
  /** Member of the export that holds the data, such as `saves`. */
  name: string;
  /**
   * The data, for `writeJson`. Data that may not fit into memory is an array that is read page by page; the
   * pages are of different snapshots.
   */
  exportPlayer(player: PlayerKey): Promise<unknown> | AsyncGenerator<readonly unknown[]>;
  /** First erases data in short transactions, so that a bounded rest is left for `deletePlayer`. */
  eraseMost?(player: PlayerKey): Promise<void>;
  /** Erases the data in the transaction that deletes the player. */
  deletePlayer(tx: Queryable, player: PlayerKey): Promise<void>;
  /**
   * Refuses to end a player who has more data than can move while ingest waits. Called before ingest
   * waits.
   * @throws ApiError 409.
   */
  requireMovable?(tx: Queryable, from: PlayerKey): Promise<void>;
  /**
   * Moves all of the data in the transaction that deletes `from`.
   * @returns the changes that callers see.
   * @throws ApiError 409 when the player would pass a limit.
   */
  mergePlayer(tx: Queryable, merge: Merge): Promise<Partial<MergeChanges>>;
}

/** @throws ApiError 409 if a player who ends has more rows than `most`. @param of The rows, for `selectCount`. */
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
