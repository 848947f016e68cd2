import { formFor } from '../database/cluster/forms.ts';
import type { Database } from '../database/database.ts';
import { perGroup } from '../database/game-groups.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { createBatcher } from './batcher.ts';
import type { Batcher, BatcherOptions } from './batcher.ts';

interface GroupBatcherOptions<Request, Result> extends Omit<
  BatcherOptions<Request, Result>,
  'gameOf' | 'flush' | 'gather_ms' | 'queued'
> {
  gameOf: (request: Request) => string;
  /** The same as `flush` of a batcher, for a batch of requests whose games are all in one group. */
  flush: (database: Database, requests: Request[]) => Promise<(Result | Error)[]>;
}

export type GroupBatcher<Request, Result> = Pick<Batcher<Request, Result>, 'submit' | 'close'>;

/**
 * The time for which requests for a cluster are gathered into one statement. A cluster
 * takes milliseconds to plan a statement, however many requests the statement serves.
 */
const GATHER_MS = 5;

/**
 * Makes a batcher for each group of games, because a statement is about the games of one group. The groups do
 * not wait for each other. The limits of the queue apply to all groups together, because they limit memory.
 */
export function createGroupBatcher<Request, Result>(
  database: GroupedDatabase,
  options: GroupBatcherOptions<Request, Result>,
): GroupBatcher<Request, Result> {
  const { gameOf, flush } = options;
  const queued = { length: 0, bytes: 0 };
  const batchers = perGroup(database, (group) =>
    createBatcher<Request, Result>({
      ...options,
      queued,
      gather_ms: formFor(group, { plain: 0, cluster: GATHER_MS }),
      flush: (requests) => flush(group, requests),
    }),
  );
  return {
    submit: (request) => batchers.ofGame(gameOf(request)).submit(request),
    async close() {
      await Promise.all(batchers.all.map((batcher) => batcher.close()));
    },
  };
}
