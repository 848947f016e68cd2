import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSharedReads } from './shared-reads.ts';

/** Makes shared reads of numbers. The test decides when each read ends. */
function makeReads() {
  const share = createSharedReads<number>();
  const reads: { name: string; end: (result: number) => void; fail: (error: Error) => void }[] = [];
  const read = (name: string) =>
    share(name, () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      reads.push({ name, end: resolve, fail: reject });
      return promise;
    });
  return { reads, read };
}

test('callers that come while a read is in flight share one read that begins after it', async () => {
  const { reads, read } = makeReads();
  const first = read('a');
  const later = [read('a'), read('a'), read('a')];
  assert.equal(reads.length, 1);
  reads[0]!.end(1);
  assert.equal(await first, 1);
  assert.equal(reads.length, 2);
  const last = read('a');
  reads[1]!.end(2);
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
  reads[2]!.end(3);
  assert.equal(await last, 3);
  const alone = read('a');
  assert.equal(reads.length, 4);
  reads[3]!.end(4);
  assert.equal(await alone, 4);
});

test('reads of different names do not wait for each other', async () => {
  const { reads, read } = makeReads();
  const a = read('a');
  const b = read('b');
  assert.deepEqual(
    reads.map(({ name }) => name),
    ['a', 'b'],
  );
  reads[1]!.end(2);
  assert.equal(await b, 2);
  reads[0]!.end(1);
  assert.equal(await a, 1);
});

test('if a read fails, only its own callers get the error', async () => {
  const { reads, read } = makeReads();
  const first = read('a');
  const later = [read('a'), read('a')];
  reads[0]!.fail(new Error('no answer'));
  await assert.rejects(first, /no answer/);
  reads[1]!.end(2);
  assert.deepEqual(await Promise.all(later), [2, 2]);
});
