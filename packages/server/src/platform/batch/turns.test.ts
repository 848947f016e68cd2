import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

/**
 * Makes a queue with a request for each text. The first letter of a text names the request's game, and the
 * length of the text is the request's size in bytes.
 */
function queueOf(texts: readonly string[]) {
  const turns = createTurns<{ text: string; bytes: number }>({ max_requests: 4, max_bytes: 20 });
  for (const text of texts) turns.add(text[0]!, { text, bytes: text.length });
  const takeAll = () => {
    const batches: string[][] = [];
    while (turns.length > 0) batches.push(turns.takeBatch().map(({ text }) => text));
    return batches;
  };
  return { turns, takeAll };
}

test('each batch takes requests of all games in turn, and the requests of one game keep their order', () => {
  const { takeAll } = queueOf(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'c1']);
  assert.deepEqual(takeAll(), [['a1', 'b1', 'c1', 'a2'], ['a3', 'b2', 'a4', 'a5'], ['a6']]);
});

test('a game that a batch left out comes first in the next batch', () => {
  const { turns, takeAll } = queueOf(['a1', 'a2', 'b1', 'c1', 'd1', 'e1', 'e2', 'e3']);
  assert.deepEqual(
    turns.takeBatch().map(({ text }) => text),
    ['a1', 'b1', 'c1', 'd1'],
  );
  turns.add('f', { text: 'f1', bytes: 2 });
  assert.deepEqual(takeAll(), [['e1', 'a2', 'f1', 'e2'], ['e3']]);
});

test('when a request is too large for the rest of a batch, requests of other games still enter that batch', () => {
  const { takeAll } = queueOf(['a of 14 bytes.', 'a2', 'large, 15 bytes', 'b1', 'b2']);
  assert.deepEqual(takeAll(), [['a of 14 bytes.', 'b1', 'a2', 'b2'], ['large, 15 bytes']]);
});

test('a request that is larger than a batch is flushed by itself when its turn comes', () => {
  const { takeAll } = queueOf(['a1', 'large, of 24 bytes here.', 'b1']);
  assert.deepEqual(takeAll(), [['a1', 'b1'], ['large, of 24 bytes here.']]);
});

test('a new request waits for all requests of its game, and for an equal number of requests of each other game', () => {
  const { turns } = queueOf(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'b1']);
  assert.equal(turns.countBatches(), 9 / 4);
  assert.equal(turns.countBatchesBefore('a'), 9 / 4);
  assert.equal(turns.countBatchesBefore('b'), 3 / 4);
  assert.equal(turns.countBatchesBefore('c'), 2 / 4);
});

test('the first request of a game waits for one request of each other game', () => {
  const { turns } = queueOf(['a of 14 bytes.', 'b1', 'c1', 'd of 14 bytes.']);
  assert.equal(turns.countBatchesBefore('e'), 32 / 20);
});

test('the number of batches of large requests is computed from their bytes', () => {
  const { turns } = queueOf(['a of 14 bytes.', 'a of 14 bytes.', 'b1']);
  assert.equal(turns.countBatches(), 30 / 20);
  assert.equal(turns.countBatchesBefore('a'), 30 / 20);
  turns.takeBatch();
  assert.deepEqual([turns.length, turns.bytes], [1, 14]);
});
