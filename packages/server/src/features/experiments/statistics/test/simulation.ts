import { ALPHA, compare } from '../comparison.ts';
import type { Comparison } from '../comparison.ts';
import type { Sample } from '../../../../platform/reports/experiment-outcomes.ts';

/**
 * So many first players are each followed by a reading of the results, which is as often as possible. Later
 * readings follow each further thousandth of the players, which hardly moves a mean.
 */
const PLAYERS_OF_EVERY_READING = 1_000;

/** Makes a generator of numbers from 0 to below 1 that gives the same numbers in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Draw = (random: () => number) => number;

export const event =
  (share: number): Draw =>
  (random) =>
    Number(random() < share);

/** Draws the revenue of a player. Few players pay, and few of the payers pay much: the sum is log-normal. */
export const revenue =
  (paying_share: number, factor = 1): Draw =>
  (random) => {
    if (random() >= paying_share) return 0;
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return factor * Math.exp(1 + 1.2 * normal);
  };
/** The mean of the log-normal sum. */
export const PAYMENT = Math.exp(1 + 1.2 ** 2 / 2);

export interface Simulation {
  control: Draw;
  variants: readonly Draw[];
  /** The share of the players that each variant gets. */
  variant_share: number;
  players: number;
  runs: number;
}

const nobody = (): Sample => ({ players: 0, sum: 0, sum_of_squares: 0 });

/**
 * Runs the experiment `runs` times, and compares each variant with the control at each reading.
 * @param isFound Tells whether a comparison decides the run. Then the run ends.
 * @returns the share of the runs that were decided.
 */
export function simulate(
  { control, variants, variant_share, players, runs }: Simulation,
  isFound: (comparison: Comparison) => boolean,
): number {
  const random = createRandom(20_261_123);
  const draws = [control, ...variants];
  const alpha = ALPHA / variants.length;
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const samples = draws.map(nobody);
    let next_reading = 0;
    for (let player = 0; player < players; player++) {
      const place = Math.floor(random() / variant_share);
      const variant = place < variants.length ? place + 1 : 0;
      const sample = samples[variant]!;
      const value = draws[variant]!(random);
      sample.players++;
      sample.sum += value;
      sample.sum_of_squares += value * value;
      if (player < next_reading) continue;
      next_reading = player + 1 + Math.floor(player / PLAYERS_OF_EVERY_READING);
      const isDecidedNow = samples.slice(1).some((of_variant) => {
        const comparison = compare(of_variant, samples[0]!, alpha);
        return comparison !== null && isFound(comparison);
      });
      if (!isDecidedNow) continue;
      found++;
      break;
    }
  }
  return found / runs;
}

export const isDecided = ({ interval: { low, high } }: Comparison) => low > 0 || high < 0;

const equal = (draw: Draw, variant_share = 0.5, variants = 1) => ({
  control: draw,
  variants: Array.from({ length: variants }, () => draw),
  variant_share,
});

/** Experiments whose variants are all alike. */
export const EQUAL_VARIANTS: Record<string, Omit<Simulation, 'players' | 'runs'>> = {
  'of an event that 40 % have': equal(event(0.4)),
  'of an event that 2 % have': equal(event(0.02)),
  'of an event when one of ten players gets the variant': equal(event(0.05), 0.1),
  'of revenue': equal(revenue(0.05)),
  'of revenue when one of ten players gets the variant': equal(revenue(0.05), 0.1),
  'with four variants': equal(event(0.2), 0.2, 4),
};
