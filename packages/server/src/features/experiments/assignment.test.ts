import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { countCases } from '../../../test/long-forms.ts';
import { chooseVariant } from './assignment.ts';
import { sampleRatioChance } from './statistics/sample-ratio.ts';

const PLAYERS = Array.from({ length: countCases(40_000) }, (_, number) => `player-${number}`);
const IDS = [
  '0198f2d4-6f0a-7c31-9a55-0f3c1d2e4b6a',
  'b7c3a1de-2b6f-4a55-8f11-6f0a7c319a55',
  '5c1d2e4b-6a0f-4c31-9a55-0198f2d46f0a',
];
const WEIGHTS = [50, 30, 20];
const makeExperiment = (id: string, share = 100, weights = WEIGHTS) => ({
  id,
  share,
  variants: weights.map((weight) => ({ weight })),
});

const countBy = (variants: readonly (number | null)[], length: number) => {
  const counts = Array.from({ length }, () => 0);
  for (const variant of variants) if (variant !== null) counts[variant]!++;
  return counts;
};

test('each variant gets players in proportion to its weight', () => {
  for (const id of IDS) {
    const variants = PLAYERS.map((player) => chooseVariant(makeExperiment(id), player));
    const counts = countBy(variants, WEIGHTS.length);
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      PLAYERS.length,
    );
    assert.ok(sampleRatioChance(counts, WEIGHTS)! > 0.001, counts.join(' '));
  }
});

test('a player always gets the same variant', () => {
  const experiment = makeExperiment(randomUUID(), 50);
  for (const player of PLAYERS.slice(0, 100)) {
    assert.equal(chooseVariant(experiment, player), chooseVariant({ ...experiment }, player));
  }
});

test('the variant of a player in one experiment does not depend on the variant in another', () => {
  const [first, second] = IDS.map((id) => makeExperiment(id, 100, [1, 1]));
  const pairs = PLAYERS.map(
    (player) => 2 * chooseVariant(first!, player)! + chooseVariant(second!, player)!,
  );
  assert.ok(sampleRatioChance(countBy(pairs, 4), [1, 1, 1, 1])! > 0.001);
});

test('the share sets how many players take part, and players keep their variants when it is raised', () => {
  const [id] = IDS as [string];
  let before: (number | null)[] = PLAYERS.map(() => null);
  for (const share of [0.5, 10, 33.3, 90, 100]) {
    const variants = PLAYERS.map((player) => chooseVariant(makeExperiment(id, share), player));
    const inside = variants.filter((variant) => variant !== null).length;
    const chance = sampleRatioChance(
      [inside, PLAYERS.length - inside],
      [share, 100 - share || 1e-9],
    );
    assert.ok(chance! > 0.001, `${share}: ${inside}`);
    for (const [index, known] of before.entries()) {
      if (known !== null) assert.equal(variants[index], known);
    }
    assert.ok(sampleRatioChance(countBy(variants, 3), WEIGHTS)! > 0.001);
    before = variants;
  }
});
