import type { HttpServer } from '../http/server.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { REQUEST_SECONDS } from './metrics.ts';

const SLOT_MS = 5_000;
const SLOTS = 12;

/** The requests of a time, counted by the bounds of `REQUEST_SECONDS`, and above the last one. */
interface Counts {
  count: number;
  failed: number;
  within: number[];
}

const noCounts = (): Counts => ({
  count: 0,
  failed: 0,
  within: Array.from({ length: REQUEST_SECONDS.length + 1 }, () => 0),
});

const addUp = (all: Counts[]): Counts =>
  all.reduce(
    (sum, { count, failed, within }) => ({
      count: sum.count + count,
      failed: sum.failed + failed,
      within: sum.within.map((value, at) => value + within[at]!),
    }),
    noCounts(),
  );

/** Counts the requests of the last minute, over all workers of this server. */
export function createRecentRequests(
  server: Pick<HttpServer, 'observe'>,
  workerPool: WorkerPool,
  now = () => performance.now(),
) {
  const { peers, worker, workers } = workerPool;
  const slots: (Counts & { number: number })[] = [];
  const present = () => Math.floor(now() / SLOT_MS);
  server.observe(({ answer: { statusCode } }, is_sent, duration_ms) => {
    if (!is_sent) return;
    const number = present();
    let slot = slots[number % SLOTS];
    if (slot?.number !== number) slots[number % SLOTS] = slot = { number, ...noCounts() };
    slot.count += 1;
    if (statusCode >= 500) slot.failed += 1;
    const at = REQUEST_SECONDS.findIndex((bound) => duration_ms <= bound * 1_000);
    slot.within[at === -1 ? REQUEST_SECONDS.length : at]! += 1;
  });
  // The present slot is not full yet, so it is left out.
  const countOwn = () =>
    addUp(slots.filter(({ number }) => number < present() && number > present() - SLOTS));
  peers.serve('recent requests', async () => countOwn());

  /** Reads the requests a second, the bound of 99 % of their times, and the failed ones. */
  return async () => {
    const others = Array.from({ length: workers }, (_, index) => index).filter(
      (at) => at !== worker,
    );
    const asked = others.map((other) =>
      // A worker that is being replaced does not answer.
      peers.call<Counts>(other, 'recent requests', null).catch(noCounts),
    );
    const { count, failed, within } = addUp([countOwn(), ...(await Promise.all(asked))]);
    let sum = 0;
    const at = within.findIndex((value) => (sum += value) >= 0.99 * count);
    return {
      requests_per_second: count / (((SLOTS - 1) * SLOT_MS) / 1_000),
      request_p99_seconds: count === 0 ? null : (REQUEST_SECONDS[at] ?? null),
      failed_requests: failed,
    };
  };
}
