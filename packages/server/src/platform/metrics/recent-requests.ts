import type { Background } from '../background/background.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { REQUEST_SECONDS } from './metrics.ts';
import type { RequestCounts } from './metrics.ts';

const READ_INTERVAL_MS = 5_000;
/** The number of readings of which the first and the last one are compared. */
const READINGS = 12;

/**
 * Counts the requests of the last minute, over all workers of this server.
 * @param countRequests Counts the requests of this worker since its start.
 */
export function createRecentRequests(
  countRequests: () => RequestCounts,
  background: Pick<Background, 'everyHere'>,
  { peers, worker, workers }: WorkerPool,
) {
  const readings: RequestCounts[] = [];
  background.everyHere(READ_INTERVAL_MS, 'counting the requests of the last minute', async () => {
    readings.push(countRequests());
    if (readings.length > READINGS) readings.shift();
  });
  const countOwn = () => {
    const [first, last] = [readings[0], readings.at(-1)];
    return first === undefined ? [] : [subtract(last!, first)];
  };
  peers.serve('recent requests', async () => countOwn());

  /** Reads the requests a second, the bound of 99 % of their times, and the failed ones. */
  return async () => {
    const others = Array.from({ length: workers }, (_, index) => index).filter(
      (at) => at !== worker,
    );
    const asked = others.map((other) =>
      // A worker that is being replaced does not answer.
      peers.call<RequestCounts[]>(other, 'recent requests', null).catch(() => []),
    );
    const all = [...countOwn(), ...(await Promise.all(asked)).flat()];
    const sumOf = (read: (counts: RequestCounts) => number) =>
      all.reduce((sum, counts) => sum + read(counts), 0);
    const count = sumOf((counts) => counts.count);
    let within = 0;
    const p99 = REQUEST_SECONDS.find(
      (_, at) => (within += sumOf((counts) => counts.within[at]!)) >= 0.99 * count,
    );
    return {
      requests_per_second: count / (((READINGS - 1) * READ_INTERVAL_MS) / 1_000),
      request_p99_seconds: count === 0 ? null : (p99 ?? null),
      failed_requests: sumOf((counts) => counts.failed),
    };
  };
}

const subtract = (from: RequestCounts, counts: RequestCounts): RequestCounts => ({
  count: from.count - counts.count,
  failed: from.failed - counts.failed,
  within: from.within.map((value, at) => value - counts.within[at]!),
});
