import type { Player } from './player.ts';

/** Runs a call when those before it have ended, for who plays when it is made. */
export type InTurn = <T>(run: (player_id: string) => Promise<T>) => Promise<T>;

/** Lets calls be made one after another, in this order, whatever becomes of each. */
export function createTurns(player: Player): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const player_id = player.get();
    const result = last.then(async () => run(await player_id));
    last = result.catch(() => undefined);
    return result;
  };
}
