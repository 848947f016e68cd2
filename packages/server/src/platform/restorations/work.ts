import type { Database } from '../database/database.ts';
import { restAfter } from '../rest.ts';
import type { RestorationKey, RestorationRow } from './restoration.ts';
import type { RestorationStore } from './restoration-store.ts';

/** The rest after a step that writes, so that calls of games come first. Short steps keep their waits short. */
const REST = { times: 3, min_ms: 200, max_ms: 1_000 };
/** The rest after a step of a count, which only reads. */
const COUNTING_REST = { times: 1, min_ms: 20, max_ms: 500 };

/** The work of a kind of restorations in a step. */
export interface RestorationSteps<Row extends RestorationRow> {
  store: RestorationStore<Row>;
  /**
   * Looks at what the next players have.
   * @param segment The players to look at; null for all.
   * @returns false when all is counted, or the count is paused.
   */
  countNext(
    group: Database,
    restoration: Row,
    segment: ReadonlySet<string> | null,
  ): Promise<boolean>;
  /**
   * Restores the next items, or takes them back. They and the progress change in one transaction that locks the
   * row of the restoration, so after a crash any server can go on.
   * @returns the number of items that were treated; 0 when the work is done or paused.
   */
  treatNext(group: Database, key: RestorationKey): Promise<number>;
}

interface WorkOptions {
  /** The players to look at; null for all. */
  segment: ReadonlySet<string> | null;
  /** The work ends after this time, so that other restorations have their turn. */
  turn_ms: number;
  signal: AbortSignal;
}

/** Works on one restoration, step by step, until it has nothing to do, or its turn is over. */
export async function workOn<Row extends RestorationRow>(
  group: Database,
  key: RestorationKey,
  steps: RestorationSteps<Row>,
  { segment, turn_ms, signal }: WorkOptions,
): Promise<void> {
  const ends_at = performance.now() + turn_ms;
  while (!signal.aborted && performance.now() < ends_at) {
    const started = performance.now();
    const rest = await takeStep(group, key, steps, segment);
    if (rest === null) return;
    await restAfter(performance.now() - started, { ...rest, signal });
  }
}

/** @returns the rest after the step; null when there is nothing to do. */
async function takeStep<Row extends RestorationRow>(
  group: Database,
  key: RestorationKey,
  { store, countNext, treatNext }: RestorationSteps<Row>,
  segment: ReadonlySet<string> | null,
): Promise<typeof REST | null> {
  const restoration = await store.find(group, key);
  switch (restoration?.state) {
    case undefined:
      return (await store.forgetNext(group, key)) ? REST : null;
    case 'counting':
      if (needsSegment(restoration) && segment === null) return null;
      return (await countNext(group, restoration, segment)) ? COUNTING_REST : null;
    case 'running':
    case 'undoing':
      return (await treatNext(group, key)) > 0 ? REST : null;
    default:
      return null;
  }
}

/** Tells whether the players of a segment must be known before the next step. */
export const needsSegment = ({ state, question }: RestorationRow): boolean =>
  state === 'counting' && question.segment !== null;
