import type { Queryable } from '../database/database.ts';
import type { PlayerKey } from './player-key.ts';

/**
 * The player data of one feature. With these, `app.ts` lets the players feature export and erase a
 * player everywhere without knowing the other features.
 */
export interface PlayerDataSource {
  /** Member of the export that holds the data, such as `saves`. */
  name: string;
  /**
   * The data, for `writeJson`. Data that may not fit into memory is an array that is read page by page; the
   * pages are of different snapshots.
   */
  exportPlayer(player: PlayerKey): Promise<unknown> | AsyncGenerator<readonly unknown[]>;
  /** Erases the data in the transaction that deletes the player. */
  deletePlayer(tx: Queryable, player: PlayerKey): Promise<void>;
}
