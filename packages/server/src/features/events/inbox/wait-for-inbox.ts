import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@overworld/contract/common';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { InboxWorker } from './inbox-worker.ts';

/**
 * Waits until the events of a game that were acknowledged before the call can be read, at most a
 * second: under a backlog a read shows what has been worked off.
 */
export type WaitForInbox = (game_id: string, environment: Environment) => Promise<void>;

const PATIENCE_MS = 1_000;
/** Another node may have locked the rows: then its end can only be seen in the table. */
const LOOK_INTERVAL_MS = 15;

export function createWaitForInbox(database: Database, worker: InboxWorker): WaitForInbox {
  return async (game_id, environment) => {
    const newest = await database.queryOne<{ id: number }>(sql`
      SELECT id
      FROM event_inbox
      WHERE game_id = ${game_id} AND environment = ${environment}
      ORDER BY id DESC
      LIMIT 1`);
    if (newest === null) return;

    const deadline = performance.now() + PATIENCE_MS;
    const isWaiting = async () => {
      const row = await database.queryOne<{ waiting: boolean }>(sql`
        SELECT EXISTS (
          SELECT FROM event_inbox
          WHERE game_id = ${game_id} AND environment = ${environment} AND id <= ${newest.id}
        ) AS waiting`);
      return row!.waiting;
    };
    do {
      await Promise.race([
        worker.workOff(),
        sleep(deadline - performance.now(), undefined, { ref: false }),
      ]);
      if (!(await isWaiting())) return;
      await sleep(LOOK_INTERVAL_MS);
    } while (performance.now() < deadline);
  };
}
