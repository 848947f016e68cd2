import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpServer } from '../http/server.ts';
import { makeSoleWorkerPool } from '../workers/worker-pool.ts';
import { createRecentRequests } from './recent-requests.ts';

type Observer = Parameters<HttpServer['observe']>[0];

test('the requests of the last minute are counted and timed, without those of the present 5 seconds', async () => {
  let now_ms = 1_000_000;
  let observe: Observer | undefined;
  const server = { observe: (given: Observer) => void (observe = given) };
  const read = createRecentRequests(
    server,
    makeSoleWorkerPool({ max_connections: 1 }),
    () => now_ms,
  );
  const answer = (status: number, duration_ms: number, is_sent = true) =>
    observe!({ answer: { statusCode: status } } as Parameters<Observer>[0], is_sent, duration_ms);

  const nothing = { requests_per_second: 0, request_p99_seconds: null, failed_requests: 0 };
  assert.deepEqual(await read(), nothing);
  for (let index = 0; index < 108; index++) answer(200, 3);
  answer(404, 20);
  answer(503, 40);
  answer(200, 5_000, false);
  assert.deepEqual(await read(), nothing);
  now_ms += 5_000;
  assert.deepEqual(await read(), {
    requests_per_second: 2,
    request_p99_seconds: 0.025,
    failed_requests: 1,
  });
  now_ms += 60_000;
  assert.deepEqual(await read(), nothing);
  answer(200, 30_000);
  now_ms += 5_000;
  assert.equal((await read()).request_p99_seconds, null);
});
