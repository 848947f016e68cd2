import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasFewDecimals, millionthsOf, numberOf, readDecimal, writeDecimal } from './decimals.ts';
import { decideInOrder, makeUnits, totalsOf } from './units.ts';
import type { FoundStat, StatRequest } from './units.ts';

const player = { game_id: 'g', environment: 'production', player_id: 'p' } as const;

test('a number with at most six decimals is the same after its way through millionths', () => {
  const values = [0, 1, -1, 0.1, -0.000_001, 123_456_789.123_456, Number.MAX_SAFE_INTEGER, -0.25];
  for (const value of values) {
    assert.ok(hasFewDecimals(value), String(value));
    const millionths = millionthsOf(value);
    assert.equal(numberOf(millionths), value);
    assert.equal(readDecimal(writeDecimal(millionths)), millionths);
  }
  assert.equal(readDecimal('-0.5'), -500_000n);
  assert.equal(readDecimal('12'), 12_000_000n);
  for (const value of [0.000_000_1, 1.000_000_5, Math.PI]) assert.ok(!hasFewDecimals(value));
});

/** Requests that each change one statistic of the player. */
const requestsOf = (
  aggregation: FoundStat['aggregation'] & string,
  values: readonly number[],
): StatRequest[] =>
  values.map((value) => ({
    player,
    sent: null,
    fieldOf: () => 'value',
    changes: [{ key: 'k', aggregation, value: millionthsOf(value) }],
  }));

test('the totals of a unit allow all its changes exactly when each of them is possible', () => {
  const bound = fc.integer({ min: -6, max: 6 });
  const aggregation = fc.constantFrom('sum', 'max', 'min', 'latest');
  fc.assert(
    fc.property(
      aggregation,
      fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 6 }),
      fc.option(bound),
      bound,
      bound,
      (joins, values, before, one, other) => {
        const [minimum, maximum] = [Math.min(one, other), Math.max(one, other)];
        const requests = requestsOf(joins as 'sum', values);
        const [unit] = makeUnits(requests);
        const [{ total, high, low }] = totalsOf(unit!) as [ReturnType<typeof totalsOf>[number]];
        const found: FoundStat = {
          key: 'k',
          aggregation: joins as 'sum',
          minimum: String(minimum),
          maximum: String(maximum),
          before: before === null ? null : String(before),
          value: '',
        };
        const decided = decideInOrder(unit!, new Map([['k', found]]));
        // As `storeUnits` decides.
        const start = joins === 'sum' ? (before ?? 0) : 0;
        const is_possible =
          (high === null || start + Number(high) <= maximum) &&
          (low === null || start + Number(low) >= minimum);
        assert.equal(is_possible, decided.every(Array.isArray));
        if (!is_possible) return;
        const known = before === null ? [] : [before];
        const expected = {
          sum: start + Number(total),
          max: Math.max(...known, Number(total)),
          min: Math.min(...known, Number(total)),
          latest: Number(total),
        }[joins as 'sum'];
        assert.deepEqual(decided.at(-1), [expected]);
      },
    ),
  );
});
