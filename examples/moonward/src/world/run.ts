import { createRandom } from './random.ts';
import { growScenery } from './scenery.ts';
import type { Lamp, Scenery } from './scenery.ts';
import { UNITS_PER_METRE, WORLD_WIDTH } from './units.ts';
import { NO_UPGRADES } from './upgrades.ts';
import type { UpgradeLevels } from './upgrades.ts';
import { MILD } from './weather.ts';
import type { Difficulty, Weather } from './weather.ts';
import type { Moth, Tether } from './flight.ts';

/** An event in a step of the world, for sounds, pictures and counts. */
export type RunEvent =
  | { kind: 'light'; lamp: Lamp; chain: number; points: number; leapt: number }
  | { kind: 'catch'; lamp: Lamp }
  | { kind: 'release' }
  | { kind: 'burn_out'; lamp: Lamp }
  | { kind: 'pollen'; x: number; y: number }
  | { kind: 'bump'; x: number; y: number; chain: number }
  | { kind: 'bat'; x: number; y: number }
  | { kind: 'second_wind' }
  | { kind: 'weather'; weather: Weather }
  | { kind: 'over' };

interface Tallies {
  bonus: number;
  lamps: number;
  /** The number of new lamps in a row, without a bump, a bat, or a lamp that was lit before. */
  chain: number;
  best_chain: number;
  /** The largest number of lamps that the moth has passed over in one flight. */
  best_leap: number;
  pollen: number;
  burn_outs: number;
  difficulty_changes: number;
}

/** One night. Only `step.ts` changes it: the same seed and the same input make the same night. */
export interface Run {
  seed: number;
  difficulty: Difficulty;
  upgrades: UpgradeLevels;
  time_s: number;
  moth: Moth;
  tether: Tether | null;
  /** True if the held press may still catch a lamp. A press is used up when a lamp burns out. */
  press_is_fresh: boolean;
  was_held: boolean;
  last_lit: Lamp | null;
  left_lamp: Lamp | null;
  scenery: Scenery;
  random: () => number;
  dawn_y: number;
  top_y: number;
  tallies: Tallies;
  dazed_s: number;
  second_winds: number;
  over: boolean;
}

/** Scenery exists up to this far above the highest place of the moth. */
export const LOOK_AHEAD = 1_400;
const BASE_REACH = 150;

export function createRun({
  seed,
  difficulty = MILD,
  upgrades = NO_UPGRADES,
}: {
  seed: number;
  difficulty?: Difficulty;
  upgrades?: UpgradeLevels;
}): Run {
  const random = createRandom(seed);
  const scenery: Scenery = { lamps: [], pollen: [], bats: [] };
  growScenery(scenery, LOOK_AHEAD, random);
  return {
    seed,
    difficulty,
    upgrades,
    time_s: 0,
    moth: { x: WORLD_WIDTH / 2, y: 0, vx: 0, vy: 250 },
    tether: null,
    press_is_fresh: true,
    was_held: false,
    last_lit: null,
    left_lamp: null,
    scenery,
    random,
    dawn_y: -190 - 70 * upgrades.wings,
    top_y: 0,
    tallies: {
      bonus: 0,
      lamps: 0,
      chain: 0,
      best_chain: 0,
      best_leap: 0,
      pollen: 0,
      burn_outs: 0,
      difficulty_changes: 0,
    },
    dazed_s: 0,
    second_winds: upgrades.second_wind,
    over: false,
  };
}

export const heightOf = (run: Run): number => Math.floor(run.top_y / UNITS_PER_METRE);

/** Five points per metre, plus the points for lamps, leaps and pollen. */
export const scoreOf = (run: Run): number => heightOf(run) * 5 + run.tallies.bonus;

/** The distance from which the moth feels lamps, in units. */
export const reachOf = (run: Run): number => BASE_REACH + 14 * run.upgrades.antennae;
