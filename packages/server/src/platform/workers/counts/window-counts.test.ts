import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { WindowCounts } from './window-counts.ts';

const makeCounts = (keys?: number) => new WindowCounts(WindowCounts.makeMemory(keys), 1);

test('each key has its own count, and its window has the requested length', () => {
  const counts = makeCounts();
  assert.deepEqual(counts.add('a', 1, 60_000), { count: 1, left_ms: 60_000 });
  assert.equal(counts.add('a', 2, 60_000).count, 3);
  assert.equal(counts.add('b', 1, 60_000).count, 1);
  assert.equal(counts.read('a', 60_000), 3);
  assert.equal(counts.read('c', 60_000), 0);
});

test('when a window is over, the count starts again from zero', () => {
  const counts = makeCounts();
  for (let round = 0; round < 3; round++) {
    // A window of length 0 is over at once.
    assert.equal(counts.add('a', 5, 0).count, 5);
    assert.equal(counts.read('a', 0), 0);
  }
});

test('after a request is taken back, another request gets its number, and no count falls below zero', () => {
  const counts = makeCounts();
  counts.add('a', 2, 60_000);
  counts.takeBack('a', 60_000);
  assert.equal(counts.read('a', 60_000), 1);
  for (let times = 0; times < 3; times++) counts.takeBack('a', 60_000);
  assert.deepEqual(counts.add('a', 1, 60_000).count, 1);
  // The window of `a` is over, and `b` was never counted.
  counts.takeBack('a', 0);
  counts.takeBack('b', 60_000);
  assert.equal(counts.read('a', 60_000), 1);
});

test('an earlier caller is still counted after a flood of 50,000 made-up callers', () => {
  const counts = makeCounts();
  counts.add('early', 2, 60_000);
  for (let made_up = 0; made_up < 50_000; made_up++) counts.add(`ip:${made_up}`, 1, 60_000);
  assert.equal(counts.read('early', 60_000), 2);
});

test('when there are more callers than slots, the callers with the largest counts are kept', () => {
  const counts = makeCounts(64);
  counts.add('busy', 9, 60_000);
  for (let made_up = 0; made_up < 1_000; made_up++) {
    assert.equal(counts.add(`ip:${made_up}`, 1, 60_000).count, 1);
  }
  assert.equal(counts.read('busy', 60_000), 9);
});

test('of threads that count at the same time, no two get the same number for a key', async () => {
  const memory = WindowCounts.makeMemory(64);
  const threads = [0, 1, 2].map(
    () =>
      new Worker(new URL('./test/counting-thread.ts', import.meta.url), {
        workerData: { memory, keys: ['a', 'b'], times: 20_000 },
      }),
  );
  const seen = await Promise.all(threads.map(async (thread) => (await once(thread, 'message'))[0]));
  for (const key of ['a', 'b']) {
    const numbers = seen.flatMap((of_thread: Record<string, number[]>) => of_thread[key]!);
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 60_000 }, (_, at) => at + 1),
    );
  }
});
