import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { ApiError } from '../errors.ts';
import { createFairQueue } from '../queue/fair-queue.ts';
import { joinWorkerPool, makePoolMemory } from './worker-pool.ts';
import { createPeers } from './peers.ts';
import { shareQueue } from './shared-queue.ts';

function connectPair(a = createPeers(), b = createPeers()) {
  const { port1, port2 } = new MessageChannel();
  a.connect(1, port1);
  b.connect(0, port2);
  return { a, b, port1, [Symbol.dispose]: () => a.close() };
}

test('the other worker answers a call, and its errors arrive unchanged', async () => {
  using pair = connectPair();
  pair.b.serve<number>('double', async (input, { worker }) => [2 * input, worker]);
  pair.b.serve('refuse', async () => {
    throw new ApiError(403, 'No', { code: 'NO' }, { headers: { 'retry-after': '7' } });
  });
  assert.deepEqual(await pair.a.call(1, 'double', 21), [42, 0]);
  await assert.rejects(pair.a.call(1, 'refuse', null), (error: ApiError) => {
    assert.deepEqual(
      [error.status, error.body, error.headers],
      [403, { error: 'No', code: 'NO' }, { 'retry-after': '7' }],
    );
    return true;
  });
});

test('when a worker dies, calls that wait for it and all later calls are answered with 503', async () => {
  using pair = connectPair();
  pair.b.serve('wait', () => new Promise(() => undefined));
  const died = new Promise((resolve) => pair.a.onDeath(resolve));
  const waiting = pair.a.call(1, 'wait', null);
  pair.b.close();
  await assert.rejects(waiting, { status: 503 });
  assert.equal(await died, 1);
  await assert.rejects(pair.a.call(1, 'wait', null), { status: 503 });
});

test('when the caller gives up, the handler of the call is aborted', async () => {
  using pair = connectPair();
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  pair.b.serve('wait', async (_input, { signal }) => {
    signal.addEventListener('abort', () => aborted.resolve());
    begun.resolve();
    await aborted.promise;
  });
  const controller = new AbortController();
  const call = pair.a.call(1, 'wait', null, controller.signal);
  await begun.promise;
  controller.abort();
  await aborted.promise;
  await call;
});

test('the workers share one queue, and when a worker dies, others can take the turns that it had taken', async () => {
  const memory = makePoolMemory(2, 1);
  const first = joinWorkerPool(memory, { worker: 0, workers: 2 });
  const second = joinWorkerPool(memory, { worker: 1, workers: 2 });
  const makeQueue = () =>
    createFairQueue({
      name: 'turns',
      slots: 1,
      max_waiting: 10,
      deadline_ms: 60_000,
      limits: [{ max_running: 1, max_waiting: 10 }],
      refusal: 'No',
    });
  const here = shareQueue(first, 'turns', makeQueue());
  const there = shareQueue(second, 'turns', makeQueue());
  connectPair(first.peers, second.peers);
  const release = await there.take(['a']);
  let taken = 0;
  const next = here.take(['b']).then((give) => {
    taken++;
    return give;
  });
  // When this answer arrives, everything that was sent before it has arrived too.
  second.peers.serve('echo', async () => taken);
  assert.equal(await first.peers.call(1, 'echo', null), 0);
  release();
  (await next)();
  await there.take(['a']);
  const afterDeath = here.take(['b']);
  second.peers.close();
  (await afterDeath)();
});
