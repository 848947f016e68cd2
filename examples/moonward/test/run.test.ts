import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRun, heightOf, reachOf, scoreOf } from '../src/world/run.ts';
import type { RunEvent } from '../src/world/run.ts';
import { findTarget, setDifficulty, stepRun } from '../src/world/step.ts';
import { NO_UPGRADES } from '../src/world/upgrades.ts';
import { MILD, WEATHERS } from '../src/world/weather.ts';
import { playNight } from './bot.ts';

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const kinds = (events: RunEvent[]) => events.map(({ kind }) => kind);
const never = () => false;
const always = () => true;

describe('a night', () => {
  test('is the same for the same seed and the same input', () => {
    const [one, other, different] = [7, 7, 8].map((seed) => {
      const run = createRun({ seed, difficulty: { weather: 'gale', dawn_speed: 1 } });
      const events = playNight(run);
      return { kinds: kinds(events), score: scoreOf(run), moth: run.moth };
    });
    assert.deepEqual(one, other);
    assert.notDeepEqual(one, different);
  });

  for (const weather of WEATHERS) {
    test(`can be played in ${weather} weather: a skilled player climbs, and the night ends`, () => {
      const heights = SEEDS.map((seed) => {
        const run = createRun({ seed, difficulty: { weather, dawn_speed: 1 } });
        playNight(run);
        assert.ok(run.over, `seed ${seed} never ends`);
        return heightOf(run);
      }).sort((one, other) => one - other);
      assert.ok(heights[0]! > 30, `worst: ${heights[0]} m`);
      assert.ok(heights[SEEDS.length / 2]! > 200, `median: ${heights[SEEDS.length / 2]} m`);
    });
  }

  test('is harder in a gale and with a fast dawn', () => {
    const heights = (difficulty: typeof MILD) =>
      SEEDS.map((seed) => {
        const run = createRun({ seed, difficulty });
        playNight(run);
        return heightOf(run);
      }).reduce((sum, height) => sum + height);
    const mild = heights(MILD);
    assert.ok(heights({ weather: 'gale', dawn_speed: 1 }) < mild);
    assert.ok(heights({ weather: 'calm', dawn_speed: 3 }) < mild);
  });

  test('ends soon if the player does nothing', () => {
    const run = createRun({ seed: 1 });
    playNight(run, 30, never);
    assert.ok(run.over);
    assert.equal(run.tallies.lamps, 0);
  });

  test('ends if the player never lets go, because the lamp burns out', () => {
    const run = createRun({ seed: 1 });
    const events = kinds(playNight(run, 30, always));
    assert.equal(events.filter((kind) => kind === 'catch').length, 1);
    assert.ok(run.over);
    assert.equal(run.tallies.burn_outs, 1);
  });

  test('does not change after its end', () => {
    const run = createRun({ seed: 1 });
    playNight(run, 30, never);
    const score = scoreOf(run);
    assert.deepEqual(stepRun(run, true), []);
    assert.equal(scoreOf(run), score);
  });
});

describe('lamps', () => {
  test('hang so close together that a moth at one lamp can always feel the next lamp', () => {
    for (const seed of SEEDS) {
      const { lamps } = createRun({ seed }).scenery;
      for (const [index, lamp] of lamps.slice(1).entries()) {
        const below = lamps[index]!;
        const apart = Math.hypot(lamp.home_x - below.home_x, lamp.y - below.y);
        // From its orbit of 60 units, the moth feels lamps up to 150 units away.
        assert.ok(apart < 60 + 150 + 30, `seed ${seed}, lamp ${lamp.number}: ${apart}`);
      }
    }
  });

  test('form a chain if the moth reaches only unlit lamps, and a lit lamp ends the chain', () => {
    const run = createRun({ seed: 3 });
    playNight(run, 4);
    const { chain } = run.tallies;
    assert.ok(chain >= 2, `${chain}`);
    while (run.tether) stepRun(run, false);
    for (const lamp of run.scenery.lamps) lamp.lit = true;
    run.moth.y = run.left_lamp!.y;
    stepRun(run, false);
    while (!run.tether && !run.over) stepRun(run, true);
    assert.equal(run.tallies.chain, 0);
    assert.equal(run.tallies.best_chain, chain);
  });

  test('are felt from farther away by a moth with longer antennae', () => {
    const plain = createRun({ seed: 1 });
    const better = createRun({ seed: 1, upgrades: { ...NO_UPGRADES, antennae: 3 } });
    assert.equal(reachOf(better) - reachOf(plain), 42);
    const lamp = plain.scenery.lamps[0]!;
    for (const run of [plain, better]) Object.assign(run.moth, { x: lamp.x, y: lamp.y - 170 });
    assert.equal(findTarget(plain), null);
    assert.equal(findTarget(better)?.number, lamp.number);
  });
});

test('a moth that hits a side of the world loses its chain and bounces back', () => {
  const run = createRun({ seed: 1 });
  run.tallies.chain = 4;
  Object.assign(run.moth, { x: 20, vx: -200, vy: 200 });
  const events = [...stepRun(run, false), ...stepRun(run, false), ...stepRun(run, false)];
  const bump = events.find((event) => event.kind === 'bump');
  assert.equal(bump?.chain, 4);
  assert.equal(run.tallies.chain, 0);
  assert.ok(run.moth.vx > 0);
});

test('a bat knocks the moth off its lamp', () => {
  const run = createRun({ seed: 1 });
  playNight(run, 1, always);
  assert.ok(run.tether);
  const { x, y } = run.moth;
  run.scenery.bats.push({ y, center_x: x, reach: 0, phase: 0, x });
  assert.deepEqual(kinds(stepRun(run, true)), ['bat']);
  assert.equal(run.tether, null);
  assert.ok(run.moth.vy < 0);
});

test('a second wind saves the moth from the dawn only once', () => {
  const run = createRun({ seed: 1, upgrades: { ...NO_UPGRADES, second_wind: 1 } });
  const events = kinds(playNight(run, 60, never));
  assert.equal(events.filter((kind) => kind === 'second_wind').length, 1);
  assert.equal(events.at(-1), 'over');
});

test('a sweeter scent attracts more pollen', () => {
  const gather = (scent: number) => {
    const run = createRun({ seed: 5, upgrades: { ...NO_UPGRADES, scent } });
    playNight(run, 20);
    return run.tallies.pollen;
  };
  assert.ok(gather(3) > gather(0));
});

describe('a change of difficulty', () => {
  test('takes effect in the current night', () => {
    const run = createRun({ seed: 1 });
    stepRun(run, false);
    const before = run.dawn_y;
    stepRun(run, false);
    const calm = run.dawn_y - before;
    const events = setDifficulty(run, { weather: 'gale', dawn_speed: 3 });
    assert.deepEqual(events, [{ kind: 'weather', weather: 'gale' }]);
    const then = run.dawn_y;
    stepRun(run, false);
    assert.ok(run.dawn_y - then > 2.5 * calm);
    assert.equal(run.tallies.difficulty_changes, 1);
  });

  test('to the same difficulty is ignored, and a change before the start of the night is not counted', () => {
    const run = createRun({ seed: 1 });
    assert.deepEqual(setDifficulty(run, { ...MILD }), []);
    setDifficulty(run, { weather: 'breeze', dawn_speed: 1 });
    assert.equal(run.tallies.difficulty_changes, 0);
  });
});
