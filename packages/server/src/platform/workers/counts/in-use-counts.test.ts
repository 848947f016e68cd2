import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { InUseCounts } from './in-use-counts.ts';

const WORKERS = 2;

/** The counts of two workers in one memory. */
function makePair(keys = 64): [InUseCounts, InUseCounts] {
  const memory = InUseCounts.makeMemory(keys, WORKERS);
  const join = (worker: number) => new InUseCounts(memory, { seed: 1, workers: WORKERS, worker });
  return [join(0), join(1)];
}

test('a count is the sum over all workers', () => {
  const [first, second] = makePair();
  assert.equal(first.add('a', 2), 2);
  assert.equal(second.add('a', 3), 5);
  assert.equal(second.add('b', 1), 1);
  first.remove('a', 1);
  assert.deepEqual([first.read('a'), second.read('a'), first.read('b')], [4, 4, 1]);
});

test('when a worker dies, its counts are dropped, and the counts of the others stay', () => {
  const [first, second] = makePair();
  first.add('a', 2);
  second.add('a', 3);
  second.add('b', 1);
  first.dropWorker(1);
  assert.deepEqual([first.read('a'), first.read('b')], [2, 0]);
});

test('a key whose count is back at zero makes room for another key', () => {
  const [first] = makePair();
  for (let key = 0; key < 1_000; key++) {
    assert.equal(first.add(`ip:${key}`, 1), 1);
    assert.equal(first.read(`ip:${key}`), 1);
    first.remove(`ip:${key}`, 1);
  }
});

test('a key without room is not counted, and its removal lowers no other count', () => {
  const [first] = makePair(8);
  for (let key = 0; key < 100; key++) assert.equal(first.add(`ip:${key}`, 1), 1);
  const counted = Array.from({ length: 100 }, (_, key) => first.read(`ip:${key}`));
  assert.equal(counted.filter((count) => count === 1).length, 8);
  for (let key = 0; key < 100; key++) first.remove(`ip:${key}`, 1);
  for (let key = 0; key < 100; key++) assert.equal(first.read(`ip:${key}`), 0);
});

test('two threads never both get the count 1 for a key at the same time, and at the end no key is in use', async () => {
  const [keys, workers] = [12, 3];
  const memory = InUseCounts.makeMemory(8, workers);
  const alone = new Int32Array(new SharedArrayBuffer(keys * Int32Array.BYTES_PER_ELEMENT));
  const threads = Array.from(
    { length: workers },
    (_, worker) =>
      new Worker(new URL('./test/holding-thread.ts', import.meta.url), {
        workerData: { memory, alone, workers, worker, keys, times: 100_000 },
      }),
  );
  const clashes = await Promise.all(
    threads.map(async (thread) => (await once(thread, 'message'))[0]),
  );
  assert.deepEqual(clashes, [0, 0, 0]);
  const counts = new InUseCounts(memory, { seed: 1, workers, worker: 0 });
  for (let key = 0; key < keys; key++) assert.equal(counts.read(`key ${key}`), 0);
});
