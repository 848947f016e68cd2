import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TIE_BREAKS } from '@overworld/contract/leaderboards/kept-scores';
import { SORT_ORDERS } from '@overworld/contract/leaderboards/settings';
import type { TieBreak } from '@overworld/contract/leaderboards/kept-scores';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import fc from 'fast-check';
import { tieKeyOf } from '../tie-break.ts';
import { RankOrder } from './rank-order.ts';
import { sortByRank } from './sort-by-rank.ts';

interface Ranked {
  number: number;
  score: number;
  seq: number;
  tie_value?: number | null;
}

/** Sorts the entries in the simplest way, as a list that is sorted each time. */
const sortNaively = (
  entries: Iterable<Ranked>,
  sort_order: SortOrder,
  tie_break: TieBreak = 'none',
): Ranked[] =>
  [...entries].toSorted((a, b) => {
    const ties = [a, b].map(({ tie_value = null }) => tie_value);
    if (a.score === b.score) {
      if (tie_break === 'none' || ties[0] === ties[1]) return a.seq - b.seq;
      if (ties.includes(null)) return ties[0] === null ? 1 : -1;
      return (tie_break === 'lower') === ties[0]! < ties[1]! ? -1 : 1;
    }
    return (sort_order === 'descending') === a.score > b.score ? -1 : 1;
  });

async function build(
  entries: readonly Ranked[],
  sort_order: SortOrder,
  tie_break: TieBreak = 'none',
): Promise<RankOrder> {
  const length = Math.max(0, ...entries.map(({ number }) => number + 1));
  const scores = new Float64Array(length).fill(Number.NaN);
  const seqs = new Float64Array(length);
  const keys = tie_break === 'none' ? null : new Float64Array(length);
  for (const { number, score, seq, tie_value = null } of entries) {
    scores[number] = score;
    seqs[number] = seq;
    if (keys !== null) keys[number] = tieKeyOf(tie_break, tie_value);
  }
  const sorted = await sortByRank(sort_order, scores, seqs, keys);
  return new RankOrder(sort_order, scores, seqs, sorted, keys && { tie_break, keys });
}

function assertSame(order: RankOrder, expected: readonly Ranked[]): void {
  const numbers = expected.map(({ number }) => number);
  assert.equal(order.size, numbers.length);
  assert.deepEqual(order.list(0, numbers.length + 1), numbers);
  expected.forEach(({ number, seq }, index) => {
    assert.equal(order.rankOf(number), index + 1);
    assert.equal(order.seqOf(number), seq);
  });
}

const HOSTILE_SCORES = [
  0,
  1,
  -1,
  5e-324,
  -5e-324,
  1e308,
  -1e308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  2 ** 53,
  2 ** 53 + 2,
  0.1 + 0.2,
  0.3,
];
const anyScore = fc.oneof(
  fc.constantFrom(...HOSTILE_SCORES),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((score) => score + 0),
);

for (const sort_order of SORT_ORDERS) {
  describe(`a rank order, ${sort_order}`, () => {
    test('stays sorted while entries are set and removed', async () => {
      const change = fc.record({
        number: fc.nat(60),
        score: fc.option(anyScore, { freq: 4, nil: null }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyScore, { maxLength: 40 }),
          fc.array(change, { maxLength: 80 }),
          async (scores, changes) => {
            let seq = 1;
            const entries = scores.map((score, number) => ({ number, score, seq: seq++ }));
            const expected = new Map(entries.map((entry) => [entry.number, entry]));
            const order = await build(entries, sort_order);
            for (const { number, score } of changes) {
              if (score === null) {
                order.remove(number);
                expected.delete(number);
              } else {
                order.set(number, score, seq);
                expected.set(number, { number, score, seq: seq++ });
              }
            }
            assertSame(order, sortNaively(expected.values(), sort_order));
          },
        ),
        { numRuns: 200 },
      );
    });

    test('stays sorted while many blocks fill up and become empty', async () => {
      const expected = new Map<number, Ranked>();
      let seq = 1;
      let random = 7;
      const next = (limit: number) => {
        random = (random * 48_271) % 2_147_483_647;
        return random % limit;
      };
      // With this many entries, a radix sort is used instead of a sort by comparisons.
      for (let number = 0; number < 12_000; number++) {
        expected.set(number, { number, score: next(500) - 250 + next(8) / 8, seq: seq++ });
      }
      const order = await build([...expected.values()], sort_order);
      assertSame(order, sortNaively(expected.values(), sort_order));
      for (let step = 0; step < 30_000; step++) {
        const number = next(14_000);
        if (next(3) === 0) {
          order.remove(number);
          expected.delete(number);
        } else {
          // Scores drift away from the first ones, so the first blocks become empty.
          const score = step / 20 + next(100);
          order.set(number, score, seq);
          expected.set(number, { number, score, seq: seq++ });
        }
      }
      assertSame(order, sortNaively(expected.values(), sort_order));
      for (const number of expected.keys()) order.remove(number);
      assertSame(order, []);
      order.set(3, 1, 1);
      assertSame(order, [{ number: 3, score: 1, seq: 1 }]);
    });

    test('stays sorted when blocks between full blocks become empty', async () => {
      const entries = Array.from({ length: 5_000 }, (_, number) => {
        return { number, score: number, seq: number + 1 };
      });
      const order = await build(entries, sort_order);
      const removed = order.list(1_000, 2_500);
      for (const number of removed) order.remove(number);
      const left = entries.filter(({ number }) => !removed.includes(number));
      assertSame(order, sortNaively(left, sort_order));
      for (const number of removed) order.set(number, number, number + 1);
      assertSame(order, sortNaively(entries, sort_order));
    });

    test('ranks hostile scores as JavaScript compares them, on small and large boards', async () => {
      for (const copies of [1, 1_000]) {
        const entries = HOSTILE_SCORES.flatMap((score) =>
          Array.from({ length: copies }, () => score),
        ).map((score, number) => ({ number, score, seq: 2 ** 40 - number }));
        assertSame(await build(entries, sort_order), sortNaively(entries, sort_order));
      }
    });
  });
}

for (const tie_break of TIE_BREAKS) {
  test(`equal scores rank by the second number: ${tie_break}`, async () => {
    const tie = fc.option(fc.oneof(fc.integer({ min: -2, max: 2 }), anyScore), { nil: null });
    const scored = fc.record({ score: fc.integer({ min: 0, max: 2 }), tie_value: tie });
    const change = fc.record({ number: fc.nat(60), to: fc.option(scored, { freq: 4, nil: null }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SORT_ORDERS),
        fc.array(scored, { maxLength: 40 }),
        fc.array(change, { maxLength: 80 }),
        async (sort_order, first, changes) => {
          let seq = 1;
          const entries = first.map((each, number) => ({ number, ...each, seq: seq++ }));
          const expected = new Map<number, Ranked>(entries.map((entry) => [entry.number, entry]));
          const order = await build(entries, sort_order, tie_break);
          for (const { number, to } of changes) {
            if (to === null) {
              order.remove(number);
              expected.delete(number);
            } else {
              order.set(number, to.score, seq, to.tie_value);
              expected.set(number, { number, ...to, seq: seq++ });
            }
          }
          assertSame(order, sortNaively(expected.values(), sort_order, tie_break));
        },
      ),
      { numRuns: 200 },
    );
  });

  test(`a large board is sorted by the second number too: ${tie_break}`, async () => {
    for (const sort_order of SORT_ORDERS) {
      const entries = Array.from({ length: 12_000 }, (_, number) => ({
        number,
        score: (number * 7) % 5,
        tie_value: number % 4 === 0 ? null : ((number * 31) % 200) / 4 - 25,
        seq: 20_000 - number,
      }));
      const order = await build(entries, sort_order, tie_break);
      assertSame(order, sortNaively(entries, sort_order, tie_break));
    }
  });
}

test('a new board takes less than 1 kB, and a board of 100,000 entries some 22 bytes per entry', async () => {
  const small = await build([], 'descending');
  small.set(0, 1, 1);
  assert.ok(small.bytes < 1_000, `${small.bytes} bytes`);
  const large = await build(
    Array.from({ length: 100_000 }, (_, number) => ({ number, score: number, seq: number })),
    'descending',
  );
  assert.ok(large.bytes < 2_300_000, `${large.bytes} bytes`);
});
