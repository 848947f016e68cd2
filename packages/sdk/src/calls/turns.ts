/** A function that runs a call after the earlier calls of its kind have ended. */
export type InTurn = <T>(kind: string, run: () => Promise<T>) => Promise<T>;

/** Runs the calls of each kind in turn, also after a call that fails. */
export const createTurns = (): InTurn => {
  const turns = new Map<string, Promise<unknown>>();
  return (kind, run) => {
    const result = Promise.resolve(turns.get(kind)).then(run);
    const settled = result.catch(() => undefined);
    turns.set(kind, settled);
    return result;
  };
};
