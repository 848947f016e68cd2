import { RunStopped } from '../background/background.ts';
import type { Database } from '../database/database.ts';
import { forEachGroup, roundInterval, takeTurns } from '../database/each-group.ts';
import { ApiError } from '../errors.ts';
import type { Platform } from '../platform.ts';
import type { Tenant } from '../players/player-key.ts';
import type { RestorationKey, RestorationRow } from './restoration.ts';
import type { RestorationStore } from './restoration-store.ts';
import { needsSegment } from './work.ts';

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

/** A turn of a restoration. */
export interface Turn {
  group: Database;
  key: RestorationKey;
  /** The ids of the players to look at; null for all. */
  segment: readonly string[] | null;
  turn_ms: number;
}

/** The work of a turn. */
export interface TurnWork {
  /** @throws RunStopped after `close`. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface RestorerOptions<Row extends RestorationRow> {
  store: RestorationStore<Row>;
  /** The things that are restored, such as `saves`. */
  things: string;
  listSegment: ListSegment;
  makeTurn(turn: Turn): TurnWork;
}

/** Works on restorations of one kind in the background, one at a time on each server. */
export function startRestorer<Row extends RestorationRow>(
  { background, database, opened }: Platform,
  { store, things, listSegment, makeTurn }: RestorerOptions<Row>,
): void {
  const closing = new AbortController();
  let close = async () => {};
  opened.add({
    close: async () => {
      closing.abort();
      await close();
    },
  });

  /** @returns null if the segment cannot be read; the restoration is then paused. */
  const readSegment = async (group: Database, restoration: Row) => {
    try {
      return await listSegment(restoration, restoration.question.segment!, closing.signal);
    } catch (error) {
      // After an overload, the next turn tries again.
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      await store.changeState(group, restoration, 'paused', { problem: error.message });
      return null;
    }
  };

  const takeTurn = async (group: Database): Promise<boolean> => {
    const restoration = await store.claim(group);
    if (restoration === null) return false;
    const { game_id, environment, restoration_id } = restoration;
    const key = { game_id, environment, restoration_id };
    const isChosen = needsSegment(restoration);
    const begun = performance.now();
    const segment = isChosen ? await readSegment(group, restoration) : null;
    if (isChosen && segment === null) return true;
    // The next turn lists the segment again, so a turn is much longer than the list took.
    const turn_ms = Math.max(TURN_MS, TURN_PER_LISTING * (performance.now() - begun));
    const turn = makeTurn({ group, key, segment, turn_ms });
    close = () => turn.close();
    try {
      await turn.run();
    } catch (error) {
      if (error instanceof RunStopped) return false;
      throw error;
    } finally {
      close = async () => {};
    }
    await store.release(group, key);
    return true;
  };

  background.every(roundInterval(INTERVAL_MS, database), `restoring ${things}`, () =>
    takeTurns(database.groups, takeTurn, closing.signal),
  );
  background.onOneServer(FORGET_INTERVAL_MS, `forgetting restorations of ${things}`, () =>
    forEachGroup(database.groups, store.forgetOld),
  );
}
