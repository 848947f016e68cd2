/** Makes a generator of random numbers by Mulberry32. Its 32 bits of state are enough for a demo. */
export function createRandom(seed: number) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    /** Returns a number from 0 to just below 1. */
    next,
    /** Returns a whole number from `low` to `high`, both included. */
    integer: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)]!,
    /** Picks one of the choices, each with a probability in proportion to its weight. */
    pickWeighted<T>(choices: readonly (readonly [T, number])[]): T {
      const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return choices.at(-1)![0];
    },
    /** Returns a number of at least 0. The numbers have this mean and a long tail, as durations have. */
    longTail: (mean: number): number => -Math.log(1 - next()) * mean,
  };
}

/** A source of random numbers. The same seed gives the same numbers, so a simulation can be repeated. */
export type Random = ReturnType<typeof createRandom>;
