import { FEW_PAYERS, LTV_DAYS } from '@overworld/contract/analytics/limits';

const WIDTH = LTV_DAYS.length;
const LAST = WIDTH - 1;
const REPETITIONS = 200;
/** With more payers, chance matters so little that fewer repetitions tell the interval. */
const MAX_DRAWN = 20_000_000;

/** Revenue by the days since the first day. A column is the index of a day in `LTV_DAYS`. */
export interface ValueTable {
  /** The number of players of each cohort. */
  players: Uint32Array;
  /** For each cohort, the index of its last day that is over; -1 if none is. */
  over: Int8Array;
  /** For each payer, the cohort. */
  cohorts: Uint32Array;
  /** For each payer, the revenue by the end of each day, one payer after the other. */
  revenue: Float64Array;
}

/**
 * Forecasts the revenue per player by the last day of `LTV_DAYS`.
 * @returns the expected value with its 95 % interval; null for too few payers.
 */
export function forecastValue(
  table: ValueTable,
  random: () => number = createRandom(),
): { value: number; low: number; high: number } | null {
  const { over, cohorts } = table;
  const counted = [...cohorts.keys()].filter((payer) => over[cohorts[payer]!]! >= 0);
  const grown = counted.filter((payer) => over[cohorts[payer]!] === LAST);
  if (counted.length < FEW_PAYERS || grown.length < FEW_PAYERS) return null;
  const ones = new Uint8Array(cohorts.length).fill(1);
  const value = project(table, ones);
  if (value === null) return null;
  // If every day is over for all cohorts, the value is known, but the interval still covers chance.
  const repetitions = Math.max(50, Math.min(REPETITIONS, Math.floor(MAX_DRAWN / counted.length)));
  const values: number[] = [];
  const weights = new Uint8Array(cohorts.length);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const payer of counted) weights[payer] = drawPoisson(random);
    const drawn = project(table, weights);
    if (drawn !== null) values.push(drawn);
  }
  if (values.length < repetitions / 2) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return { value, low: Math.min(value, at(0.025)), high: Math.max(value, at(0.975)) };
}

/** Grows each cohort to the last day by the factors of all cohorts; null if a factor is not known. */
function project(
  { players, over, cohorts, revenue }: ValueTable,
  weights: Uint8Array,
): number | null {
  const sums = new Float64Array(players.length * WIDTH);
  for (let payer = 0; payer < cohorts.length; payer++) {
    const weight = weights[payer]!;
    if (weight === 0) continue;
    const to = cohorts[payer]! * WIDTH;
    for (let day = 0; day < WIDTH; day++) sums[to + day]! += weight * revenue[payer * WIDTH + day]!;
  }
  // `growth` of a day is the factor from this day to the last one.
  const growth = new Float64Array(WIDTH).fill(1);
  for (let day = LAST - 1; day >= 0; day--) {
    let [before, after] = [0, 0];
    for (let cohort = 0; cohort < players.length; cohort++) {
      if (over[cohort]! <= day) continue;
      before += sums[cohort * WIDTH + day]!;
      after += sums[cohort * WIDTH + day + 1]!;
    }
    growth[day] = before > 0 ? growth[day + 1]! * (after / before) : NaN;
  }
  let [total, count] = [0, 0];
  for (let cohort = 0; cohort < players.length; cohort++) {
    const day = over[cohort]!;
    if (day < 0) continue;
    const own = sums[cohort * WIDTH + day]!;
    if (own !== 0) total += own * growth[day]!;
    count += players[cohort]!;
  }
  const value = total / count;
  return Number.isFinite(value) ? value : null;
}

/** Draws how often a payer is in a random repetition: 1 on average. */
function drawPoisson(random: () => number): number {
  let rest = random();
  let chance = Math.exp(-1);
  let count = 0;
  while (rest > chance && count < 9) {
    rest -= chance;
    count++;
    chance /= count;
  }
  return count;
}

/** Makes a generator of random numbers from 0 to 1 that is always the same, so that a report does not flicker. */
function createRandom(): () => number {
  let state = 0x9e37_79b9;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
