import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ACHIEVEMENTS, findEarned } from '../src/world/achievements.ts';
import {
  addNight,
  balanceOf,
  buyUpgrade,
  mergeProgress,
  NO_PROGRESS,
  sumTallies,
} from '../src/world/progress.ts';
import type { Progress } from '../src/world/progress.ts';
import { readProgress } from '../src/world/read-progress.ts';
import { createRun } from '../src/world/run.ts';
import { costOf, UPGRADES } from '../src/world/upgrades.ts';
import { DAWN_SPEED_LIMITS, MILD, readDifficulty } from '../src/world/weather.ts';

const record = <Model extends object>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
  fc.record<Model>(model, { noNullPrototype: true });

const night = record({
  pollen: fc.nat(50),
  lamps: fc.nat(50),
  score: fc.nat(9_999),
  height: fc.nat(999),
});
type Night = typeof night extends fc.Arbitrary<infer Value> ? Value : never;

const progress: fc.Arbitrary<Progress> = record({
  name: record({
    text: fc.string({ maxLength: 5 }),
    chosen_at: fc.constantFrom('', '2026-01-01', '2026-01-02'),
  }),
  tallies: fc.dictionary(
    fc.constantFrom('tab-1', 'tab-2', 'phone-1'),
    record({ pollen: fc.nat(99), nights: fc.nat(9), lamps: fc.nat(99) }),
    { noNullPrototype: true },
  ),
  upgrades: record({
    antennae: fc.nat(3),
    scent: fc.nat(3),
    wings: fc.nat(3),
    second_wind: fc.nat(1),
  }),
  best: record({ score: fc.nat(9_999), height: fc.nat(999) }),
  achievements: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')).map((keys) => keys.sort()),
});

const play = (from: Progress, tab: string, nights: Night[]) =>
  nights.reduce((before, one) => addNight(before, tab, one), from);

describe('merging two saves', () => {
  test('has the same result in any order and after any number of merges', () => {
    fc.assert(
      fc.property(progress, progress, progress, (a, b, c) => {
        assert.deepEqual(mergeProgress(a, b), mergeProgress(b, a));
        assert.deepEqual(
          mergeProgress(mergeProgress(a, b), c),
          mergeProgress(a, mergeProgress(b, c)),
        );
        assert.deepEqual(mergeProgress(mergeProgress(a, b), b), mergeProgress(a, b));
      }),
    );
  });

  test('counts every night of two tabs that continued from the same save', () => {
    fc.assert(
      fc.property(progress, fc.array(night), fc.array(night), (base, here, there) => {
        const merged = mergeProgress(play(base, 'tab-1', here), play(base, 'tab-2', there));
        const count = (pick: (one: Night) => number) =>
          [...here, ...there].reduce((sum, one) => sum + pick(one), 0);
        const before = sumTallies(base);
        assert.deepEqual(sumTallies(merged), {
          pollen: before.pollen + count(({ pollen }) => pollen),
          nights: before.nights + here.length + there.length,
          lamps: before.lamps + count(({ lamps }) => lamps),
        });
        const scores = [base.best.score, ...[...here, ...there].map(({ score }) => score)];
        assert.equal(merged.best.score, Math.max(...scores));
      }),
    );
  });

  test('charges once for an upgrade that both saves bought, and keeps the upgrades that only one of them bought', () => {
    const rich = play(NO_PROGRESS, 'tab-1', [{ pollen: 30, lamps: 0, score: 0, height: 0 }]);
    const scent = buyUpgrade(rich, 'scent')!;
    const same = mergeProgress(scent, buyUpgrade(rich, 'scent')!);
    assert.equal(balanceOf(same), 20);
    const both = mergeProgress(scent, buyUpgrade(rich, 'wings')!);
    assert.deepEqual([both.upgrades.scent, both.upgrades.wings], [1, 1]);
    assert.equal(balanceOf(both), 0);
  });

  test('takes the name that was chosen last, and prefers any chosen name to an invented one', () => {
    const named = (text: string, chosen_at: string) => ({
      ...NO_PROGRESS,
      name: { text, chosen_at },
    });
    const earlier = named('Ada', '2026-01-01T00:00:00.000Z');
    const later = named('Bea', '2026-01-02T00:00:00.000Z');
    assert.equal(mergeProgress(later, earlier).name.text, 'Bea');
    assert.equal(mergeProgress(named('Zebra 12', ''), earlier).name.text, 'Ada');
  });
});

test('an upgrade can be bought only with enough pollen, and only up to its last level', () => {
  assert.equal(buyUpgrade(NO_PROGRESS, 'scent'), null);
  let rich = play(NO_PROGRESS, 'tab-1', [{ pollen: 10_000, lamps: 0, score: 0, height: 0 }]);
  for (const { key, costs } of UPGRADES) {
    for (let level = 0; level < costs.length; level++) rich = buyUpgrade(rich, key)!;
    assert.equal(buyUpgrade(rich, key), null);
  }
  assert.equal(balanceOf(rich), 10_000 - costOf(rich.upgrades));
});

test('progress is read as it was stored, and invalid values are ignored', () => {
  fc.assert(
    fc.property(progress, (one) => {
      assert.deepEqual(readProgress(JSON.parse(JSON.stringify(one))), one);
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (nonsense) => {
      const read = readProgress({ ...NO_PROGRESS, tallies: nonsense, upgrades: nonsense });
      assert.ok(Number.isSafeInteger(balanceOf(read)));
      readProgress(nonsense);
    }),
  );
});

test('there are ten achievements, two of them hidden, and no achievement is earned before a night', () => {
  assert.equal(new Set(ACHIEVEMENTS.map(({ key }) => key)).size, 10);
  assert.equal(ACHIEVEMENTS.filter(({ hidden }) => hidden).length, 2);
  assert.deepEqual(findEarned(createRun({ seed: 1 }), NO_PROGRESS), []);
});

test('an invalid config gives a mild night', () => {
  assert.deepEqual(readDifficulty({}), MILD);
  assert.deepEqual(readDifficulty({ weather: 'hail', dawn_speed: 'fast' }), MILD);
  assert.deepEqual(readDifficulty({ weather: 'gale', dawn_speed: 99 }), {
    weather: 'gale',
    dawn_speed: DAWN_SPEED_LIMITS.maximum,
  });
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (weather, dawn_speed) => {
      const { minimum, maximum } = DAWN_SPEED_LIMITS;
      const read = readDifficulty({ weather, dawn_speed });
      assert.ok(read.dawn_speed >= minimum && read.dawn_speed <= maximum);
    }),
  );
});
