import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Database } from '../../../platform/database/database.ts';
import { listEnvironmentUsage, lockUsage } from '../inbox/environment-usage.ts';
import { storeRequests } from '../inbox/inbox-store.ts';
import type { IncomingRequest } from '../inbox/incoming-requests.ts';
import { shareExceeded, storeOnce } from './store-once.ts';
import type { Outcome } from './store-once.ts';

/** The outcome of a request. It also tells whether the environment has now used up its share of the quota. */
interface ShareOutcome {
  outcome: Outcome;
  /** The number of events that the environment has stored this month; null if its share is not used up. */
  filled: number | null;
}

/**
 * Stores requests as `storeOnce` does. All requests are from one environment, which may use
 * only a share of the month's events of its game. The events of the environment are counted
 * while the usage rows of the games are locked, so a share is exact on any number of servers.
 */
export async function storeWithinShares(
  database: Database,
  requests: readonly IncomingRequest[],
): Promise<ShareOutcome[]> {
  // If the requests of a game name different shares, the share of the last request applies to all of them.
  // The same rule applies to the game's quota.
  const callers = new Map<string, KeyCaller>();
  for (const { caller } of requests) callers.set(caller.game_id, caller);
  const gameCallers = [...callers.values()];
  let usage = new Map<string, number>();
  const outcomes = await storeOnce(database, requests, (firsts) =>
    database.transaction(async (tx) => {
      await lockUsage(tx, gameCallers);
      usage = await listEnvironmentUsage(tx, gameCallers);
      const roomOf = ({ game_id }: KeyCaller) =>
        Math.max(0, callers.get(game_id)!.environment_quota! - usage.get(game_id)!);
      return storeRequests(tx, firsts, roomOf);
    }),
  );
  for (const [index, { stored }] of outcomes.entries()) {
    const { game_id } = requests[index]!.caller;
    usage.set(game_id, usage.get(game_id)! + (stored?.received ?? 0));
  }
  return outcomes.map((outcome, index) => {
    const { game_id } = requests[index]!.caller;
    const used = usage.get(game_id)!;
    const limit = callers.get(game_id)!.environment_quota!;
    const filled = used >= limit ? used : null;
    const isRefused = filled !== null && outcome.stored?.received === 0;
    if (!isRefused) return { outcome, filled };
    return { outcome: { ...outcome, answer: shareExceeded(callers.get(game_id)!, used) }, filled };
  });
}
