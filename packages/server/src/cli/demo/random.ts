/** Makes a Mulberry32 generator. Its 32 bits of state are more than enough for a demo. */
export function createRandom(seed: number) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    /** Gives a number from 0 to 1. */
    next,
    /** Gives a whole number from `low` to `high`, both included. */
    integer: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)]!,
    /** Picks a choice by its weight. */
    pickWeighted<T>(choices: readonly (readonly [T, number])[]): T {
      const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return choices.at(-1)![0];
    },
    /** Gives a number above 0 around `mean`, with a long tail like that of durations and spendings. */
    longTail: (mean: number): number => -Math.log(1 - next()) * mean,
  };
}

/** Random numbers. The same seed gives the same numbers, so a simulation can be repeated. */
export type Random = ReturnType<typeof createRandom>;
