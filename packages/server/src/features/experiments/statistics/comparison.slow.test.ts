import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ALPHA } from './comparison.ts';
import { EQUAL_VARIANTS, isDecided, simulate } from './test/simulation.ts';

suite('equal variants are found different in at most 5 % of 500 long runs', () => {
  for (const [name, simulation] of Object.entries(EQUAL_VARIANTS)) {
    test(name, (context) => {
      const share = simulate({ ...simulation, players: 50_000, runs: 500 }, isDecided);
      context.diagnostic(`${(100 * share).toFixed(2)} %`);
      assert.ok(share <= ALPHA, `${share}`);
    });
  }
});
