import { RunStopped } from '../../../platform/background/background.ts';
import { createTaskThread } from '../../../platform/background/task-thread.ts';
import type { Database } from '../../../platform/database/database.ts';
import { forEachGroup, roundInterval, takeTurns } from '../../../platform/database/each-group.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import {
  changeState,
  claimRestoration,
  forgetOldRestorations,
  releaseRestoration,
} from './restoration-store.ts';
import type { Restoration } from './restoration.ts';
import { needsSegment } from './restoration-work.ts';
import type { RestorationThreadOptions } from './restoration-thread.ts';

/** Lists the ids of the players of a saved segment. @throws ApiError when there is none, or it has too many. */
export type ListSegment = (
  tenant: Tenant,
  name: string,
  signal: AbortSignal,
) => Promise<readonly string[]>;

const INTERVAL_MS = 1_000;
/** The time after which another restoration has its turn. */
const TURN_MS = 20_000;
/** The time of a turn for each millisecond that the list of a segment took. */
const TURN_PER_LISTING = 5;
const FORGET_INTERVAL_MS = 86_400_000;

/** Works on restorations in the background, in a thread of its own, one at a time on each server. */
export function startRestorer(
  { background, config, connection, database, opened }: Platform,
  listSegment: ListSegment,
): void {
  const history_bytes = config.save_history_kb * 1024;
  const closing = new AbortController();
  let close = async () => {};
  opened.add({
    close: async () => {
      closing.abort();
      await close();
    },
  });

  /** @returns null if the segment cannot be read; the restoration is then paused. */
  const readSegment = async (group: Database, restoration: Restoration) => {
    try {
      return await listSegment(restoration, restoration.question.segment!, closing.signal);
    } catch (error) {
      // After an overload, the next turn tries again.
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      await changeState(group, restoration, 'paused', { problem: error.message });
      return null;
    }
  };

  const takeTurn = async (group: Database): Promise<boolean> => {
    const restoration = await claimRestoration(group);
    if (restoration === null) return false;
    const { game_id, environment, restoration_id } = restoration;
    const key = { game_id, environment, restoration_id };
    const isChosen = needsSegment(restoration);
    const begun = performance.now();
    const segment = isChosen ? await readSegment(group, restoration) : null;
    if (isChosen && segment === null) return true;
    // The next turn lists the segment again, so a turn is much longer than the list took.
    const turn_ms = Math.max(TURN_MS, TURN_PER_LISTING * (performance.now() - begun));
    const options: RestorationThreadOptions = { connection, key, segment, history_bytes, turn_ms };
    const script = new URL('./restoration-thread.ts', import.meta.url);
    const thread = createTaskThread<void>(script, options);
    close = () => thread.close();
    try {
      await thread.run();
    } catch (error) {
      if (error instanceof RunStopped) return false;
      throw error;
    } finally {
      close = async () => {};
    }
    await releaseRestoration(group, key);
    return true;
  };

  background.every(roundInterval(INTERVAL_MS, database), 'restoring saves', () =>
    takeTurns(database.groups, takeTurn, closing.signal),
  );
  background.onOneServer(FORGET_INTERVAL_MS, 'forgetting restorations of saves', () =>
    forEachGroup(database.groups, forgetOldRestorations),
  );
}
