import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { restAfter } from '../../../platform/rest.ts';
import { countNext } from './count-saves.ts';
import { findRestoration, leaseEnd } from './restoration-store.ts';
import { isOfRestoration } from './restoration.ts';
import type { Restoration, RestorationKey } from './restoration.ts';
import { treatNext } from './restore-saves.ts';

/** The rest after a step that writes, so that saves of games come first. A step of 200 saves takes some 50 ms. */
const REST = { times: 3, min_ms: 400, max_ms: 1_000 };
/** The rest after a step of a count, which only reads. */
const COUNTING_REST = { times: 1, min_ms: 20, max_ms: 500 };
/** The most saves that a step forgets. */
const FORGOTTEN_SAVES = 2_000;

interface WorkOptions {
  /** The players to look at; null for all. */
  segment: ReadonlySet<string> | null;
  /** The maximum size of a player's old versions. */
  history_bytes: number;
  /** The work ends after this time, so that other restorations have their turn. */
  turn_ms: number;
  signal: AbortSignal;
}

/** Works on one restoration, step by step, until it has nothing to do, or its turn is over. */
export async function workOn(
  group: Database,
  key: RestorationKey,
  { segment, history_bytes, turn_ms, signal }: WorkOptions,
): Promise<void> {
  const ends_at = performance.now() + turn_ms;
  while (!signal.aborted && performance.now() < ends_at) {
    const started = performance.now();
    const rest = await takeStep(group, key, segment, history_bytes);
    if (rest === null) return;
    await restAfter(performance.now() - started, { ...rest, signal });
  }
}

/** @returns the rest after the step; null when there is nothing to do. */
async function takeStep(
  group: Database,
  key: RestorationKey,
  segment: ReadonlySet<string> | null,
  history_bytes: number,
): Promise<typeof REST | null> {
  const restoration = await findRestoration(group, key);
  switch (restoration?.state) {
    case undefined:
      return (await forgetNext(group, key)) ? REST : null;
    case 'counting':
      if (needsSegment(restoration) && segment === null) return null;
      return (await countNext(group, restoration, segment)) ? COUNTING_REST : null;
    case 'running':
    case 'undoing':
      return (await treatNext(group, key, history_bytes)) > 0 ? REST : null;
    default:
      return null;
  }
}

/** Tells whether the players of a segment must be known before the next step. */
export const needsSegment = ({ state, question }: Restoration): boolean =>
  state === 'counting' && question.segment !== null;

/** Forgets the next saves of a restoration that is being deleted, and at last the restoration. */
async function forgetNext(group: Database, key: RestorationKey): Promise<boolean> {
  return group.transaction(async (tx) => {
    const deleted = await tx.execute(sql`
      SELECT FROM save_restorations WHERE ${isOfRestoration(key)} AND state = 'deleting' FOR UPDATE`);
    if (deleted === 0) return false;
    const forgotten = await tx.execute(sql`
      DELETE FROM restored_saves
      WHERE ${isOfRestoration(key)} AND (player_id, slot) IN (
        SELECT player_id, slot FROM restored_saves WHERE ${isOfRestoration(key)}
        LIMIT ${FORGOTTEN_SAVES})`);
    if (forgotten > 0) {
      await tx.execute(sql`
        UPDATE save_restorations SET next_step_at = ${leaseEnd} WHERE ${isOfRestoration(key)}`);
      return true;
    }
    await tx.execute(sql`DELETE FROM save_restorations WHERE ${isOfRestoration(key)}`);
    return false;
  });
}
