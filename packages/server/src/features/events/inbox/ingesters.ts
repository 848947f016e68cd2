import { perGroup } from '../../../platform/database/game-groups.ts';
import type { GroupedDatabase, PerGroup } from '../../../platform/database/game-groups.ts';
import { createSequence } from '../../../platform/queue/sequence.ts';
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts';
import { createIngester } from './ingester.ts';
import type { Ingester, IngesterOptions } from './ingester.ts';

/** In each interval, a node searches this many groups for requests that stopped nodes have not ingested. */
const POLLED_GROUPS = 8;
const POLL_INTERVAL_MS = 500;

/**
 * Makes an ingester for each group. The ingesters share the one connection of the pool batch by
 * batch, so a group with a backlog keeps the other groups waiting for only one batch.
 */
export function createIngesters(
  database: GroupedDatabase,
  options: Pick<IngesterOptions, 'logger' | 'steps' | 'late_step'> & { workerPool: WorkerPool },
): PerGroup<Ingester> {
  const inTurn = createSequence();
  const { groups } = database;
  const poll_interval_ms = POLL_INTERVAL_MS * Math.ceil(groups.length / POLLED_GROUPS);
  const { workerPool, ...others } = options;
  // A batch that waits for an erasure would block the connection for the other groups.
  const waits = groups.length === 1;
  return perGroup(database, (group, number) =>
    shareIngester(workerPool, number, () =>
      createIngester({ ...others, database: group, inTurn, waits, poll_interval_ms }),
    ),
  );
}

/**
 * Ingests the events of a group only in the first worker of the server, because larger passes cost less per
 * event. The other workers only wake the first one.
 * @param group The index of the group.
 */
function shareIngester(
  { is_first, peers }: WorkerPool,
  group: number,
  make: () => Ingester,
): Ingester {
  const wake = `wake the inbox ${group}`;
  const process = `process the inbox ${group}`;
  if (!is_first) {
    return {
      wake: () => peers.tell(0, wake, null),
      // The call fails if the first worker has died. Callers need no error: they see that rows are still in
      // the inbox, and wait longer.
      processInbox: () => peers.call<void>(0, process, null).catch(() => undefined),
      close: async () => undefined,
    };
  }
  const ingester = make();
  peers.serve(wake, async () => ingester.wake());
  peers.serve(process, () => ingester.processInbox());
  return ingester;
}
