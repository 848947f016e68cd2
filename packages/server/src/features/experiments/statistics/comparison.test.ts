import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { countCases } from '../../../../test/long-forms.ts';
import { ALPHA, compare, MIN_PLAYERS, widthFactor } from './comparison.ts';
import type { Sample } from '../../../platform/reports/experiment-outcomes.ts';
import { EQUAL_VARIANTS, event, isDecided, PAYMENT, revenue, simulate } from './test/simulation.ts';
import type { Draw } from './test/simulation.ts';

suite('equal variants are found different in at most 5 % of runs', () => {
  for (const [name, simulation] of Object.entries(EQUAL_VARIANTS)) {
    test(name, () => {
      const share = simulate({ ...simulation, players: 4_000, runs: countCases(200) }, isDecided);
      assert.ok(share <= ALPHA, `${share}`);
    });
  }
});

test('an ordinary 95 % interval finds a difference between equal variants in more than 10 % of runs', () => {
  const simulation = { ...EQUAL_VARIANTS['of an event that 40 % have']!, players: 4_000 };
  const share = simulate({ ...simulation, runs: countCases(200) }, ({ difference, interval }) => {
    const factor = widthFactor(4_000, ALPHA);
    return Math.abs(difference) > (1.96 / factor) * ((interval.high - interval.low) / 2);
  });
  assert.ok(share > 2 * ALPHA, `${share}`);
});

suite('the intervals cover the true difference at all times in at least 95 % of runs', () => {
  const covers = (name: string, control: Draw, variant: Draw, truth: number) =>
    test(name, () => {
      for (const variant_share of [0.5, 0.1]) {
        const simulation = { control, variants: [variant], variant_share };
        const missed = simulate(
          { ...simulation, players: 4_000, runs: countCases(200) },
          ({ interval: { low, high } }) => low > truth || high < truth,
        );
        assert.ok(missed <= ALPHA, `${variant_share}: ${missed}`);
      }
    });
  covers('of an event', event(0.05), event(0.08), 0.03);
  covers('of a loss', event(0.3), event(0.2), -0.1);
  covers('of revenue', revenue(0.05), revenue(0.08), 0.03 * PAYMENT);
  covers('of higher payments', revenue(0.1), revenue(0.1, 1.5), 0.1 * 0.5 * PAYMENT);
});

test('a variant with 44 % instead of 40 % is found to be better among 20,000 players', () => {
  const simulation = { control: event(0.4), variants: [event(0.44)], variant_share: 0.5 };
  const share = simulate({ ...simulation, players: 20_000, runs: countCases(100) }, isDecided);
  assert.ok(share >= 0.9, `${share}`);
});

test('relative intervals cover the true ratio, and contain 0 exactly if the absolute intervals do', () => {
  const simulation = { control: event(0.1), variants: [event(0.13)], variant_share: 0.3 };
  const missed = simulate(
    { ...simulation, players: 4_000, runs: countCases(400) },
    (comparison) => {
      const { interval, relative } = comparison;
      if (relative === null) return false;
      assert.equal(relative.low > 0, interval.low > 0);
      assert.equal(relative.high < 0, interval.high < 0);
      return relative.low > 0.3 || relative.high < 0.3;
    },
  );
  assert.ok(missed <= ALPHA, `${missed}`);
});

const sampleOf = (players: number, share: number): Sample => ({
  players,
  sum: players * share,
  sum_of_squares: players * share,
});

/**
 * Adds up the same value for all players one by one, so that the sums have the same rounding errors as real
 * results.
 */
function addUp(players: number, value: number): Sample {
  const sample = { players, sum: 0, sum_of_squares: 0 };
  for (let player = 0; player < players; player++) {
    sample.sum += value;
    sample.sum_of_squares += value * value;
  }
  return sample;
}

test('too few players, equal values and infinite sums give no interval', () => {
  assert.equal(compare(sampleOf(MIN_PLAYERS - 1, 0.5), sampleOf(1_000, 0.5), ALPHA), null);
  assert.notEqual(compare(sampleOf(MIN_PLAYERS, 0.5), sampleOf(1_000, 0.5), ALPHA), null);
  assert.equal(compare(sampleOf(1_000, 0), sampleOf(1_000, 0), ALPHA), null);
  const price = addUp(1_000, 9.99);
  assert.equal(compare(price, addUp(1_001, 10.01), ALPHA), null);
  assert.notEqual(compare({ ...price, sum: price.sum - 1 }, price, ALPHA), null);
  const infinite = { players: 1_000, sum: 1, sum_of_squares: Infinity };
  assert.equal(compare(infinite, sampleOf(1_000, 0.5), ALPHA), null);
});

test('there is no relative interval if the mean of the control may be 0', () => {
  const { relative, interval } = compare(sampleOf(500, 0.02), sampleOf(500, 0.002), ALPHA)!;
  assert.equal(relative, null);
  assert.ok(interval.low < 0.018 && interval.high > 0.018);
});

test('the interval equals the published formula', () => {
  // Waudby-Smith et al., Annals of Statistics 52 (2024), for 10,000 players with a variance of 1/4.
  const [n, alpha] = [10_000, 0.05];
  const rho_squared = (-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / 10_000;
  const of_sum = (2 * (n * rho_squared + 1)) / (n ** 2 * rho_squared);
  const half = Math.sqrt(of_sum * Math.log(Math.sqrt(n * rho_squared + 1) / alpha));
  const { interval } = compare(sampleOf(n / 2, 0.5), sampleOf(n / 2, 0.5), alpha)!;
  // The formula is for the mean of all players. The difference between the means of two halves has four times
  // the variance of that mean.
  const expected = half * Math.sqrt(4 * 0.25 * (n / 2 / (n / 2 - 1)));
  assert.ok(Math.abs(interval.high - expected) < 1e-12, `${interval.high} ${expected}`);
});
