import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors.ts';
import { makeSoleWorkerPool } from '../workers/worker-pool.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { finishAll, PLENTY, nextTurn, watchQueue } from './test/watched-queue.ts';

test('networks are served in turn, and so are the accounts of each network', async () => {
  const watched = watchQueue();
  const labels = ['a:1', 'a:1', 'a:1', 'a:2', 'a:3', 'a:3', 'b:1', 'b:1', 'c:1'];
  for (const label of labels) void watched.come(label);
  await finishAll(watched);
  assert.deepEqual(watched.started, [
    'a:1', // found the slot free
    'a:1',
    'b:1',
    'c:1',
    'a:2',
    'b:1',
    'a:3',
    'a:1',
    'a:3',
  ]);
});

test('an owner that comes again waits behind the owners that are waiting already', async () => {
  const watched = watchQueue();
  for (const label of ['a:1', 'b:1', 'a:1', 'b:1', 'c:1']) void watched.come(label);
  await finishAll(watched);
  assert.deepEqual(watched.started, ['a:1', 'b:1', 'a:1', 'c:1', 'b:1']);
});

test('a full queue accepts a newcomer and refuses the newest work of the largest owner', async () => {
  const watched = watchQueue({ max_waiting: 4 });
  void watched.come('x:1');
  for (const label of ['a:1', 'a:2', 'a:2', 'b:1']) void watched.come(label);
  void watched.come('c:1');
  await nextTurn();
  assert.deepEqual(watched.refused, ['a:2']);
  // With this work, owner b would have as much waiting work as the largest owner, so it is refused.
  void watched.come('b:1');
  await nextTurn();
  assert.deepEqual(watched.refused, ['a:2', 'b:1']);
  void watched.come('d:1');
  await nextTurn();
  assert.deepEqual(watched.refused, ['a:2', 'b:1', 'a:1']);
  // Each owner has one waiting caller, so the newcomer is refused: it has no better claim than the others.
  void watched.come('e:1');
  await nextTurn();
  assert.deepEqual(watched.refused, ['a:2', 'b:1', 'a:1', 'e:1']);
  await finishAll(watched);
  assert.deepEqual(watched.started, ['x:1', 'a:2', 'b:1', 'c:1', 'd:1']);
});

test('an owner over its limit of waiting work loses the newest work of its largest part', async () => {
  const watched = watchQueue({
    limits: [
      { max_running: 1, max_waiting: 3 },
      { max_running: 1, max_waiting: 3 },
    ],
  });
  for (let index = 0; index < 5; index++) void watched.come('a:1');
  await nextTurn();
  assert.deepEqual(watched.refused, ['a:1']);
  void watched.come('a:2');
  void watched.come('b:1');
  await nextTurn();
  assert.deepEqual(watched.refused, ['a:1', 'a:1']);
  await finishAll(watched);
  assert.deepEqual(watched.started, ['a:1', 'a:1', 'b:1', 'a:2', 'a:1']);
});

test('an owner gets no more slots than its limit, even while slots are free', async () => {
  const watched = watchQueue({ slots: 3, limits: [{ max_running: 2, max_waiting: 9 }, PLENTY] });
  for (const label of ['a:1', 'a:1', 'a:2', 'b:1']) void watched.come(label);
  await nextTurn();
  assert.deepEqual(watched.started, ['a:1', 'a:1', 'b:1']);
  await finishAll(watched);
  assert.equal(watched.started.length, 4);
});

test('work that waits until its deadline is refused with Retry-After and frees its place', async () => {
  const metrics = createMetrics(makeSoleWorkerPool({ max_connections: 1 }));
  const { queue } = watchQueue({ deadline_ms: 2 });
  const release = await queue.take(['a', '1']);
  await assert.rejects(
    queue.take(['b', '1']),
    (error) =>
      error instanceof ApiError && error.status === 503 && error.headers['retry-after'] === '1',
  );
  assert.match(await metrics.read(), /^overworld_turns_waiting\{queue="test"\} 0$/m);
  assert.match(await metrics.read(), /^overworld_turns_refused_total\{queue="test"\} 1$/m);
  release();
  (await queue.take(['b', '1']))();
  metrics.close();
});

test('a caller that hangs up leaves the queue immediately and never gets a slot', async () => {
  const metrics = createMetrics(makeSoleWorkerPool({ max_connections: 1 }));
  const { queue } = watchQueue();
  const release = await queue.take(['a', '1']);
  const caller = new AbortController();
  const left = assert.rejects(queue.take(['b', '1'], caller.signal), { status: 503 });
  const next = queue.take(['c', '1']);
  assert.match(await metrics.read(), /^overworld_turns_waiting\{queue="test"\} 2$/m);
  caller.abort();
  await left;
  assert.match(await metrics.read(), /^overworld_turns_waiting\{queue="test"\} 1$/m);
  await assert.rejects(queue.take(['b', '1'], caller.signal), { status: 503 });
  release();
  (await next)();
  metrics.close();
});

test('failed work gives its slot back, and a second release does nothing', async () => {
  const { queue } = watchQueue();
  const failing = queue.run(['a', '1'], () => Promise.reject(new Error('its own')));
  await assert.rejects(failing, { message: 'its own' });
  const release = await queue.take(['a', '1']);
  release();
  release();
  const second = await queue.take(['a', '1']);
  let third_runs = false;
  const third = queue.run(['b', '1'], async () => void (third_runs = true));
  await nextTurn();
  assert.equal(third_runs, false);
  second();
  await third;
});
