import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { recordActivity } from './activity-step.ts';
import { countEvents } from './event-rollups.ts';
import { countSessions } from './session-rollups.ts';

/**
 * Updates the rollups (stored daily numbers) in the transaction that stores the events. The rows that every
 * batch of a game changes come last, so that they are locked for the shortest time.
 */
export const ROLLUP_STEPS: readonly ((tx: Queryable) => Promise<unknown>)[] = [
  recordActivity,
  (tx) => countSessions(tx, { from: sql`ingested_sessions` }),
  (tx) => countEvents(tx, { from: sql`ingested_events` }),
];
