import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createBatcher } from './batcher.ts';

/**
 * Makes a batcher of texts whose flushes wait until `open`
 * is called, and the list `batches` of what it has flushed.
 */
function makeBatcher({ gather_ms = 0 } = {}) {
  const batches: string[][] = [];
  const gate = Promise.withResolvers<void>();
  const batcher = createBatcher<string, string>({
    name: 'texts',
    max_batch_size: 3,
    max_queue_length: 100,
    gather_ms,
    gameOf: (text) => text[0]!,
    bytes: { of: (text) => text.length, max_batch: 10, max_queue: 40 },
    async flush(texts) {
      batches.push(texts);
      await gate.promise;
      return texts.map((text) => text.toUpperCase());
    },
  });
  return { batcher, batches, open: () => gate.resolve() };
}

test('a batch is full at its maximum of requests or of bytes, and a larger request is flushed by itself', async () => {
  const { batcher, batches, open } = makeBatcher();
  const texts = ['a', 'a', 'a', 'a', 'a2345', 'a2345', 'a', 'a long text of its own', 'a'];
  const answers = texts.map((text) => batcher.submit(text));
  open();
  assert.deepEqual(
    await Promise.all(answers),
    texts.map((text) => text.toUpperCase()),
  );
  assert.deepEqual(batches, [
    ['a'],
    ['a', 'a', 'a'],
    ['a2345', 'a2345'],
    ['a'],
    ['a long text of its own'],
    ['a'],
  ]);
});

test('the requests of one game do not wait behind all requests of another game', async () => {
  const { batcher, batches, open } = makeBatcher();
  const texts = ['a', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const answers = texts.map((text) => batcher.submit(text));
  open();
  await Promise.all(answers);
  assert.deepEqual(batches, [['a'], ['a1', 'b1', 'c1'], ['a2', 'b2', 'a3'], ['a4']]);
});

test('a queue with its maximum of bytes refuses requests with 503 until it is empty', async () => {
  const { batcher, open } = makeBatcher();
  const flushed = batcher.submit('x'.repeat(40));
  const waiting = batcher.submit('y'.repeat(40));
  await assert.rejects(batcher.submit('z'), { status: 503 });
  open();
  await Promise.all([flushed, waiting]);
  assert.equal(await batcher.submit('z'), 'Z');
});

test('a request that would wait too long is refused, but only if at least a full batch waits', async () => {
  const { batcher, open } = makeBatcher();
  const under_way = batcher.submit('a');
  const started = performance.now();
  while (performance.now() - started < 450);
  const waiting = ['b', 'c', 'd'].map((text) => batcher.submit(text));
  await assert.rejects(batcher.submit('e'), { status: 503 });
  open();
  await Promise.all([under_way, ...waiting]);
  assert.equal(await batcher.submit('e'), 'E');
});

test('if PostgreSQL refuses only some requests of a batch, each of these is retried by itself', async () => {
  const refusal = () => Object.assign(new Error('deadlock detected'), { severity: 'ERROR' });
  const batches: string[][] = [];
  const batcher = createBatcher<string, string>({
    name: 'refused',
    max_batch_size: 10,
    max_queue_length: 100,
    async flush(texts) {
      batches.push(texts);
      return texts.map((text) => {
        if (text === 'poison' || (texts.length > 1 && text.startsWith('late'))) return refusal();
        return text === 'too large' ? new Error('too large') : text.toUpperCase();
      });
    },
  });
  const texts = ['first', 'a', 'late 1', 'poison', 'too large', 'late 2'];
  const settled = await Promise.allSettled(texts.map((text) => batcher.submit(text)));
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    ['FIRST', 'A', 'LATE 1', 'deadlock detected', 'too large', 'LATE 2'],
  );
  assert.deepEqual(batches, [['first'], texts.slice(1), ['late 1'], ['poison'], ['late 2']]);
});

test('a gathering batch is flushed when it is full, after a time, and on closing', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { batcher, batches, open } = makeBatcher({ gather_ms: 5_000 });
  open();
  const full = ['a', 'b', 'c'].map((text) => batcher.submit(text));
  assert.deepEqual(await Promise.all(full), ['A', 'B', 'C']);
  const first = batcher.submit('d');
  await setImmediate();
  const second = batcher.submit('e');
  await setImmediate();
  assert.equal(batches.length, 1);
  context.mock.timers.tick(5_000);
  assert.deepEqual(await Promise.all([first, second]), ['D', 'E']);
  const last = batcher.submit('f');
  await setImmediate();
  await batcher.close();
  assert.equal(await last, 'F');
  assert.deepEqual(batches, [['a', 'b', 'c'], ['d', 'e'], ['f']]);
});
