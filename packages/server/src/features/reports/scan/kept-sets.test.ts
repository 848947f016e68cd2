import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptSets } from './kept-sets.ts';

test('the oldest sets of players are removed when the memory is full, and an empty set needs memory too', () => {
  const sets = createKeptSets(20_000);
  const keep = (question: string, size: number) =>
    sets.keep(question, { size, values: [], valueOf: () => -1 });
  const kept = (...questions: string[]) => questions.map((each) => sets.get(each) !== undefined);
  for (const question of ['a', 'b', 'c', 'd', 'e']) keep(question, 0);
  assert.deepEqual(kept('a', 'b', 'e'), [false, true, true]);
  keep('large', 15_000);
  assert.deepEqual(kept('d', 'e', 'large'), [false, true, true]);
  keep('too large', 20_001);
  assert.deepEqual(kept('e', 'large', 'too large'), [true, true, false]);
});
