import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPauses } from '../../platform/pauses.ts';
import { findCircle } from './segment-circles.ts';

/** Makes segments, each with the segment that it uses. */
const make = (uses: Record<string, string | null>) =>
  new Map(
    Object.entries(uses).map(([name, segment]) => [
      name,
      {
        query: `players=${encodeURIComponent(JSON.stringify(segment === null ? {} : { segment }))}`,
      },
    ]),
  );

const find = (uses: Record<string, string | null>, changed = Object.keys(uses)) =>
  findCircle(make(uses), new Set(changed), createPauses());

test('segments that use each other in a circle are found, if one of them is changed', async () => {
  assert.deepEqual(await find({ A: 'A' }), ['A', 'A']);
  assert.deepEqual(await find({ A: 'B', B: 'C', C: 'B' }), ['B', 'C', 'B']);
  assert.deepEqual(await find({ A: 'B', B: 'C', C: 'B' }, ['C']), ['C', 'B', 'C']);
  assert.equal(await find({ A: 'B', B: 'C', C: 'B' }, ['A']), null, 'the circle was there before');
  assert.equal(await find({ A: 'B', B: 'C', C: null, D: 'B', E: 'missing' }), null);
});

test('a query that no segment has makes no circle', async () => {
  const segments = new Map([['A', { query: 'players=%7B' }]]);
  assert.equal(await findCircle(segments, new Set(['A']), createPauses()), null);
});

test('a chain of 10,000 segments is walked once', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `S${index}`);
  const chain = Object.fromEntries(names.map((name, index) => [name, names[index + 1] ?? null]));
  const began = performance.now();
  assert.equal(await find(chain), null);
  assert.ok(performance.now() - began < 10_000);
  const circle = await find({ ...chain, S9999: 'S0' });
  assert.equal(circle?.length, 10_001);
});
