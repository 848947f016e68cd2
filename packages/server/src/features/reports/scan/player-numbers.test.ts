import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPlayerNumbers } from './player-numbers.ts';

test('hashes are numbered in the order in which they are first seen', () => {
  const half = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer());
  const hashes = fc.array(fc.tuple(half, half), { maxLength: 9_000, size: 'max' });
  const run = fc.property(hashes, hashes, (seen, others) => {
    const numbers = createPlayerNumbers();
    const expected = new Map<string, number>();
    for (const [high, low] of seen) {
      const name = `${high} ${low}`;
      assert.equal(numbers.find(high, low), expected.get(name) ?? -1);
      if (!expected.has(name)) expected.set(name, expected.size);
      // Both halves may also be unsigned.
      assert.equal(numbers.numberOf(high >>> 0, low >>> 0), expected.get(name));
      assert.equal(numbers.count, expected.size);
    }
    for (const [high, low] of others) {
      assert.equal(numbers.find(high, low), expected.get(`${high} ${low}`) ?? -1);
    }
  });
  fc.assert(run, { numRuns: 20 });
});
