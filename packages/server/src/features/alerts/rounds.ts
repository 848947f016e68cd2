/**
 * @param list Owners of work, in the order of their turns.
 * @param work Does one piece of work of an owner. Returns whether there was any.
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
     * Gives turns until an owner uses one. @returns false when no owner has used one in a whole round.
     */
    async next(): Promise<boolean> {
      if (await goOn()) return true;
      left = await list();
      return goOn();
    },
  };
}

/** Rounds through owners of work. In each round every owner has one turn. */
export type Rounds = ReturnType<typeof createRounds>;
