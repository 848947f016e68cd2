import type { Queryable } from '../database/database.ts';
import type { PlayerKey } from './player-key.ts';

/** A statistic of a player that a transaction has changed. */
export interface MovedStat extends PlayerKey {
  key: string;
  value: number;
}

/** An achievement that a change of statistics has unlocked. */
export interface JudgedUnlock {
  player: PlayerKey;
  /** The statistics of its rule. */
  stats: readonly string[];
  achievement: { key: string; name: string; points: number };
}

/** Judges changes of statistics in the transactions that make them, such as to unlock achievements. */
export interface StatWatcher {
  /**
   * Tells whether changes of a statistic must be judged. If not, its changes take no transaction of their own,
   * so this should be known from memory.
   */
  watches(game_id: string, key: string): boolean | Promise<boolean>;
  /**
   * Called in the transaction that changes watched statistics, after the change.
   * @returns the achievements that it has unlocked.
   */
  judge(tx: Queryable, moved: readonly MovedStat[]): Promise<readonly JudgedUnlock[]>;
}
