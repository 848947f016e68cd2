import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { StatWatcher } from '../../../platform/players/stat-watcher.ts';
import { listDefinedStats } from '../definition-store.ts';
import { millionthsOf } from './decimals.ts';
import { storeWithin } from './move-stats.ts';
import { decideInOrder, movedByEvents, unknownStat } from './units.ts';
import type { NewValues, StatRequest } from './units.ts';

/** A change of a statistic that something other than a game makes, such as a reward. */
export interface GivenChange {
  key: string;
  value: number;
}

/** Changes statistics of a player in a transaction of another feature. */
export type ChangeStats = (
  tx: Queryable,
  player: PlayerKey,
  changes: readonly GivenChange[],
) => Promise<NewValues>;

/**
 * Makes the function that changes statistics of a player in a transaction of the caller: all of them or, with
 * an error, none. `max_change` and `writes_from` do not count. It makes the player if there is none. The
 * changes must name different statistics, and have at most six decimals.
 *
 * The transaction must run in `retryCollisions`, because it fails when another one has just stored the first
 * value of a statistic of the player, and other transactions lock the same rows in another order.
 * @returns a function that resolves to the new values. It throws ApiError 404 for an unknown or archived
 * statistic, and 400 for a change past a bound or of a statistic that events move; the transaction can go on then.
 */
export const createChangeStats =
  (watcher: StatWatcher | null): ChangeStats =>
  async (tx, player, changes) => {
    const defined = await listDefinedStats(tx, player.game_id);
    const stats = new Map(defined.map((stat) => [stat.key, stat]));
    const fieldOf = (index: number) => `the change of ${changes[index]!.key}`;
    const request: StatRequest = {
      player,
      sent: null,
      fieldOf,
      changes: changes.map(({ key, value }, index) => {
        const stat = stats.get(key);
        if (stat === undefined) throw unknownStat(fieldOf(index), key);
        if (stat.source !== null) throw movedByEvents(fieldOf(index), key);
        return { key, aggregation: stat.aggregation, value: millionthsOf(value) };
      }),
    };
    return storeOne(tx, watcher, request);
  };

/**
 * Stores one request in a transaction of the caller.
 * @throws ApiError 404 when a statistic is unknown or archived, and 400 for a change past a bound.
 */
export async function storeOne(
  tx: Queryable,
  watcher: StatWatcher | null,
  request: StatRequest,
): Promise<NewValues> {
  const unit = { player: request.player, requests: [request], expected: null };
  const [stored] = await storeWithin(tx, watcher, [unit]);
  const [decided] = decideInOrder(unit, stored!.found);
  if (decided instanceof ApiError) throw decided;
  return decided!;
}
