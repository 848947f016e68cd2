import type { Player } from './player.ts';

/** Runs a call after the calls before it, for the player at the time of the call. */
export type InTurn = <T>(run: (player_id: string) => Promise<T>) => Promise<T>;

/** Runs calls one after another, also after calls that fail. */
export function createTurns(player: Player): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const player_id = player.get();
    const result = last.then(async () => run(await player_id));
    last = result.catch(() => undefined);
    return result;
  };
}
