import { perGroup } from '../../../platform/database/game-groups.ts';
import type { GroupedDatabase, PerGroup } from '../../../platform/database/game-groups.ts';
import { createSequence } from '../../../platform/queue/sequence.ts';
import type { Crew } from '../../../platform/workers/crew.ts';
import { createInboxWorker } from './inbox-worker.ts';
import type { InboxWorker, InboxWorkerOptions } from './inbox-worker.ts';
import { shareInboxWorker } from './shared-inbox-worker.ts';

/** In each interval, a node searches this many groups for requests that stopped nodes have not ingested. */
const POLLED_GROUPS = 8;
const POLL_INTERVAL_MS = 500;

/**
 * Makes a worker for the inbox of each group. The workers share the one connection of the pool batch by
 * batch, so a group with a backlog keeps the other groups waiting for only one batch.
 */
export function createInboxWorkers(
  database: GroupedDatabase,
  options: Pick<InboxWorkerOptions, 'logger' | 'steps'> & { crew: Crew },
): PerGroup<InboxWorker> {
  const inTurn = createSequence();
  const { groups } = database;
  const poll_interval_ms = POLL_INTERVAL_MS * Math.ceil(groups.length / POLLED_GROUPS);
  const { crew, ...others } = options;
  // A batch that waits for an erasure would block the connection for the other groups.
  const waits = groups.length === 1;
  return perGroup(database, (group, number) =>
    shareInboxWorker(crew, number, () =>
      createInboxWorker({ ...others, database: group, inTurn, waits, poll_interval_ms }),
    ),
  );
}
