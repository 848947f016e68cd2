import { MAX_LISTED_CALLS } from '@overworld/contract/administration/calls';
import type { Background } from '../../../platform/background/background.ts';
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts';
import { addUp, createTally, KEPT_ROWS } from './tally.ts';
import type { Tallied } from './tally.ts';

const SLICE_MS = 60_000;

/** A row with the operation as a text such as `POST /v1/track`. */
export interface CallRow extends Omit<Tallied, 'operation'> {
  operation: string | null;
}

interface Calls {
  window_ms: number;
  count: number;
  callers: CallRow[];
  networks: CallRow[];
}

/** Counts the calls of the last five minutes, over all workers of this server. */
export function createRecentCalls(
  background: Pick<Background, 'everyHere'>,
  { peers, worker, workers }: Pick<WorkerPool, 'peers' | 'worker' | 'workers'>,
) {
  const tally = createTally();
  background.everyHere(SLICE_MS, 'counting recent calls', async () => tally.endSlice());

  const readOwn = (): Calls => {
    const { callers, networks, ...read } = tally.read();
    return {
      ...read,
      callers: addUp(callers.map(toRow)).slice(0, KEPT_ROWS),
      networks: addUp(networks.map(toRow)).slice(0, KEPT_ROWS),
    };
  };
  peers.serve('recent calls', async () => readOwn());

  return {
    note: tally.note,
    /** Reads the rows with the most calls. */
    async read(): Promise<Calls> {
      const others = Array.from({ length: workers }, (_, at) => at).filter((at) => at !== worker);
      const asked = others.map((other) =>
        // A worker that is being replaced does not answer.
        peers.call<Calls>(other, 'recent calls', null).catch(() => null),
      );
      const all = [readOwn(), ...(await Promise.all(asked)).filter((calls) => calls !== null)];
      return {
        window_ms: Math.max(...all.map(({ window_ms }) => window_ms)),
        count: all.reduce((sum, { count }) => sum + count, 0),
        callers: addUp(all.flatMap(({ callers }) => callers)).slice(0, MAX_LISTED_CALLS),
        networks: addUp(all.flatMap(({ networks }) => networks)).slice(0, MAX_LISTED_CALLS),
      };
    },
  };
}

const toRow = ({ operation, ...row }: Tallied): CallRow => ({
  ...row,
  operation: operation === undefined ? null : `${operation.method} ${operation.path}`,
});
