import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ticksBetween } from '../src/ui/charts/chart-scale.ts';

test('grid lines are at round numbers', () => {
  assert.deepEqual(ticksBetween(0, 9_000), [0, 2_500, 5_000, 7_500, 10_000]);
  assert.deepEqual(ticksBetween(-12, 30), [-20, 0, 20, 40]);
  assert.deepEqual(ticksBetween(7, 7), [6, 8]);
  assert.deepEqual(ticksBetween(0, 0), [0, 0.25]);
  assert.deepEqual(ticksBetween(-Number.MAX_VALUE, Number.MAX_VALUE), [
    -Number.MAX_VALUE,
    Number.MAX_VALUE,
  ]);
});

test('for any two numbers, grid lines ascend and enclose both numbers', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [lowest, highest] = [Math.min(a, b), Math.max(a, b)];
      const ticks = ticksBetween(lowest, highest);
      // Sums of decimal steps have rounding errors in their last digits.
      const slack = Math.max(Math.abs(a), Math.abs(b)) * 1e-12;
      assert.ok(ticks.length >= 1 && ticks.length <= 8, String(ticks));
      assert.ok(ticks[0]! <= lowest + slack && ticks.at(-1)! >= highest - slack, String(ticks));
      for (const [index, tick] of ticks.entries()) {
        assert.ok(
          Number.isFinite(tick) && (index === 0 || tick > ticks[index - 1]!),
          String(ticks),
        );
      }
    }),
    { numRuns: 2_000 },
  );
});
