import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { StatWatcher } from '../../../platform/players/stat-watcher.ts';
import type { DefinedStat } from '../catalogue.ts';
import { listDefinedStats } from '../definition-store.ts';
import { millionthsOf } from './decimals.ts';
import { storeWithin } from './move-stats.ts';
import { decideInOrder, makeUnits, movedByEvents, unknownStat } from './units.ts';
import type { NewValues, StatRequest } from './units.ts';

/** A change of a statistic of a player that something other than a game makes, such as a reward. */
export interface GivenChange extends PlayerKey {
  key: string;
  value: number;
}

/** Changes statistics of players in a transaction of another feature. */
export type ChangeStats = (
  tx: Queryable,
  changes: readonly GivenChange[],
) => Promise<(number | ApiError)[]>;

/**
 * Makes the function that changes statistics of players in a transaction of the caller, each change by itself, in
 * their order. `max_change` and `writes_from` do not count. It makes the players if there are none. The changes
 * must have at most six decimals. However many there are, it takes few statements.
 *
 * The transaction must run in `retryCollisions`, because it fails when another one has just stored the first
 * value of a statistic of a player, and other transactions lock the same rows in another order.
 * @returns a function that resolves to the new value for each change. It is ApiError 404 for an unknown or archived
 * statistic, and 400 for a change past a bound or of a statistic that events move: this change is not made.
 */
export const createChangeStats =
  (watcher: StatWatcher | null): ChangeStats =>
  async (tx, changes) => {
    const results: (number | ApiError)[] = [];
    const places = new Map<StatRequest, number>();
    for (const [game_id, ofGame] of Map.groupBy(changes.entries(), ([, each]) => each.game_id)) {
      const defined = await listDefinedStats(tx, game_id);
      const stats = new Map(defined.map((stat) => [stat.key, stat]));
      for (const [place, change] of ofGame) {
        const request = toRequest(stats, change);
        if (request instanceof ApiError) results[place] = request;
        else places.set(request, place);
      }
    }
    let open = makeUnits([...places.keys()]);
    while (open.length > 0) {
      const stored = await storeWithin(tx, watcher, open);
      open = open.flatMap((unit, index) => {
        const { is_stored, found } = stored[index]!;
        const decided = decideInOrder(unit, found);
        const possible = unit.requests.filter((request, number) => {
          const decision = decided[number]!;
          const is_refused = decision instanceof ApiError;
          if (is_refused) results[places.get(request)!] = decision;
          else if (is_stored) results[places.get(request)!] = decision[0]!;
          return !is_refused && !is_stored;
        });
        return possible.length === 0 ? [] : [{ ...unit, requests: possible }];
      });
    }
    return results;
  };

function toRequest(
  stats: ReadonlyMap<string, DefinedStat>,
  { key, value, game_id, environment, player_id }: GivenChange,
): StatRequest | ApiError {
  const fieldOf = () => `the change of ${key}`;
  const stat = stats.get(key);
  if (stat === undefined) return unknownStat(fieldOf(), key);
  if (stat.source !== null) return movedByEvents(fieldOf(), key);
  return {
    player: { game_id, environment, player_id },
    sent: null,
    fieldOf,
    changes: [{ key, aggregation: stat.aggregation, value: millionthsOf(value) }],
  };
}

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
