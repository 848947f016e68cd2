import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSoleWorkerPool } from '../workers/worker-pool.ts';
import { REQUEST_SECONDS } from './metrics.ts';
import { createRecentRequests } from './recent-requests.ts';

/** Makes the counts of a worker that has answered this many requests by the bounds of their durations. */
function countsOf(durations: Record<string, number>, failed = 0) {
  const within = REQUEST_SECONDS.map((bound) => durations[bound] ?? 0);
  const slow = durations.slow ?? 0;
  return { count: within.reduce((sum, value) => sum + value, slow), failed, within };
}

test('the requests of the last minute are counted and timed, without those of the present 5 seconds', async () => {
  let counts = countsOf({ 0.005: 7 }, 7);
  let readCounts = async (): Promise<unknown> => undefined;
  const background = {
    everyHere: (_interval_ms: number, _name: string, work: () => Promise<unknown>) =>
      void (readCounts = work),
  };
  const pool = makeSoleWorkerPool({ max_connections: 1 });
  const read = createRecentRequests(() => counts, background, pool);
  const nothing = { requests_per_second: 0, request_p99_seconds: null, failed_requests: 0 };
  assert.deepEqual(await read(), nothing);
  await readCounts();
  counts = countsOf({ 0.005: 115, 0.025: 1, 0.05: 1 }, 8);
  assert.deepEqual(await read(), nothing);
  await readCounts();
  assert.deepEqual(await read(), {
    requests_per_second: 2,
    request_p99_seconds: 0.025,
    failed_requests: 1,
  });
  for (let seconds = 0; seconds < 60; seconds += 5) await readCounts();
  assert.deepEqual(await read(), nothing);
  counts = countsOf({ 0.005: 115, 0.025: 1, 0.05: 1, slow: 1 }, 8);
  await readCounts();
  assert.equal((await read()).request_p99_seconds, null);
});
