import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastValue } from './forecast.ts';
import type { ValueTable } from './forecast.ts';

const WIDTH = 8;

function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Makes cohorts in which a tenth of the players pay: 10 on the first day on average, and half as much again by
 * the last one. The second half of the cohorts has only its first day over.
 */
function makeTable(random: () => number, players_each: number, cohort_count = 6): ValueTable {
  const cohorts: number[] = [];
  const revenue: number[] = [];
  for (let cohort = 0; cohort < cohort_count; cohort++) {
    for (let player = 0; player < players_each; player++) {
      if (random() >= 0.1) continue;
      cohorts.push(cohort);
      const first = -10 * Math.log(1 - random());
      const later = random() < 0.5 ? -10 * Math.log(1 - random()) : 0;
      const is_young = cohort >= cohort_count / 2;
      revenue.push(
        first,
        ...Array.from({ length: WIDTH - 1 }, () => first + (is_young ? 0 : later)),
      );
    }
  }
  return {
    players: new Uint32Array(cohort_count).fill(players_each),
    over: Int8Array.from({ length: cohort_count }, (_, cohort) =>
      cohort < cohort_count / 2 ? 7 : 0,
    ),
    cohorts: Uint32Array.from(cohorts),
    revenue: Float64Array.from(revenue),
  };
}

test('the interval of a forecast holds the true value in about 95 of 100 cases', () => {
  const random = createRandom(7);
  let held = 0;
  for (let run = 0; run < 80; run++) {
    const forecast = forecastValue(makeTable(random, 500))!;
    assert.ok(forecast.low <= forecast.value && forecast.value <= forecast.high);
    // A tenth pays 15 on average.
    if (forecast.low <= 1.5 && 1.5 <= forecast.high) held++;
  }
  assert.ok(held >= 68, `${held} of 80`);
});

test('too few payers have no forecast', () => {
  const random = createRandom(9);
  assert.equal(forecastValue(makeTable(random, 100)), null);
  const { over, ...table } = makeTable(random, 2_000);
  assert.notEqual(forecastValue({ ...table, over }), null);
  assert.equal(forecastValue({ ...table, over: over.map(() => 3) }), null);
});

test('the forecast of the same data is the same', () => {
  const table = makeTable(createRandom(3), 1_000);
  assert.deepEqual(forecastValue(table), forecastValue(table));
});
