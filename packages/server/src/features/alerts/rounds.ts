/**
 * @param list Lists the owners of work, in the order of their turns.
 * @param work Does one piece of work of an owner. Returns false when the owner has no work.
 */
export function createRounds(
  list: () => Promise<string[]>,
  work: (owner: string) => Promise<boolean>,
) {
  let left: string[] = [];
  const goOn = async () => {
    for (let owner = left.shift(); owner !== undefined; owner = left.shift()) {
      if (await work(owner)) return true;
    }
    return false;
  };
  return {
    /**
     * Gives turns to owners until one of them does work.
     * @returns false when no owner had work in a whole round.
     */
    async next(): Promise<boolean> {
      if (await goOn()) return true;
      left = await list();
      return goOn();
    },
  };
}

/** Gives turns to owners of work, in rounds. In each round, every owner has one turn. */
export type Rounds = ReturnType<typeof createRounds>;
