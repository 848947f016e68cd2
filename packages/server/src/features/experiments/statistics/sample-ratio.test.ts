import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SUSPICIOUS_SAMPLE_RATIO_CHANCE } from '@overworld/contract/remote-config/experiment-limits';
import { sampleRatioChance } from './sample-ratio.ts';

/** Samples, each with the probability that R's `pchisq` computes for it. */
const KNOWN: [counts: number[], weights: number[], chance: number][] = [
  [[60, 40], [50, 50], 0.04550026],
  [[50, 30, 20], [1, 1, 1], 0.000911882],
  [[40, 30, 20, 10], [1, 1, 1, 1], 0.000169742],
  [[30, 25, 20, 15, 10], [1, 1, 1, 1, 1], 0.0139958],
  [[9_000, 1_000], [9, 1], 1],
];

test('sampleRatioChance gives the probability by the chi-squared distribution', () => {
  for (const [counts, weights, chance] of KNOWN) {
    const found = sampleRatioChance(counts, weights)!;
    assert.ok(Math.abs(found - chance) < chance * 1e-4, `${counts.join(' ')}: ${found}`);
  }
  assert.equal(sampleRatioChance([0, 0], [1, 1]), null);
});

test('a loss of 5 % of the players of one variant is suspicious among 20,000 players, but not among 200', () => {
  assert.ok(sampleRatioChance([10_000, 9_500], [1, 1])! < SUSPICIOUS_SAMPLE_RATIO_CHANCE);
  assert.ok(sampleRatioChance([100, 95], [1, 1])! > 0.5);
});
