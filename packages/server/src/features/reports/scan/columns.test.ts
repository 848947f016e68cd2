import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createColumn, percentiles } from './columns.ts';

const SHARES = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1];

/** The percentiles of sorted values as PostgreSQL defines `percentile_cont`. */
function percentileOf(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  const part = place - Math.floor(place);
  return below === above ? below : below * (1 - part) + above * part;
}

test('percentiles equal those of the sorted values, for many, few, equal and already sorted values', () => {
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));
  const list = fc.array(value, { minLength: 1, maxLength: 400, size: 'max' });
  const finite = list.map((values) => values.map((each) => (Number.isFinite(each) ? each : 0)));
  const shaped = fc.tuple(finite, fc.constantFrom('as it is', 'ascending', 'descending'));
  fc.assert(
    fc.property(shaped, ([values, shape]) => {
      const sorted = values.toSorted((a, b) => a - b);
      const given =
        shape === 'ascending' ? sorted : shape === 'descending' ? sorted.toReversed() : values;
      // Makes -0 and 0 equal for the comparison.
      const zeroed = (numbers: readonly (number | null)[]) => numbers.map((each) => each! + 0);
      assert.deepEqual(
        zeroed(percentiles(Float64Array.from(given), SHARES)),
        zeroed(SHARES.map((share) => percentileOf(sorted, share))),
      );
    }),
  );
});

test('percentiles of a million equal values, and of no values, are found within the time limit of a test', () => {
  assert.deepEqual(percentiles(new Float64Array(1_000_000).fill(4), [0.5, 0.99]), [4, 4]);
  assert.deepEqual(percentiles(new Float64Array(), [0.5]), [null]);
});

test('percentiles of values in the worst order for a fixed pivot are correct', () => {
  const length = 100_000;
  const half = length / 2;
  const middle = half - 1;
  const values = Float64Array.from({ length }, (_, place) => {
    if (place < middle) return place % 2 === 0 ? place : length;
    const odd = 2 * (place - middle) + 1;
    return odd <= half + 1 ? odd : length;
  });
  values[3] = half;
  const sorted = [...values].toSorted((a, b) => a - b);
  assert.deepEqual(
    percentiles(values, SHARES),
    SHARES.map((share) => percentileOf(sorted, share)),
  );
});

test('a column keeps all entries in order while it grows', () => {
  const column = createColumn.integers();
  const wanted: number[] = [];
  for (let round = 1; round <= 40; round++) {
    const { array, from } = column.extend(round * 100);
    for (let index = 0; index < round * 100; index++) {
      array[from + index] = wanted.length;
      wanted.push(wanted.length);
    }
  }
  assert.deepEqual([...column.values()], wanted);
});
