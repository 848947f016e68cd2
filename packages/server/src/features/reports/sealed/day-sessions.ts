import { createColumn } from '../scan/columns.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';

/** Spreads the numbers of players over all bits. */
const SPREAD = [0x9e37_79b1, 0x85eb_ca6b] as const;

/** Numbers the sessions of a day. A session is of one player. */
export function numberSessions() {
  const numbers = createPlayerNumbers();
  const hashes = createColumn.integers();
  const players = createColumn.doubles();
  let known = 0;
  return {
    /** @param player The number of the player plus 1; 0 for none. */
    numberOf(high: number, low: number, player: number): number {
      const number = numbers.numberOf(
        high ^ Math.imul(player, SPREAD[0]),
        low ^ Math.imul(player, SPREAD[1]),
      );
      if (number === known) {
        const { array, from } = hashes.extend(2);
        array[from] = high;
        array[from + 1] = low;
        players.push(player);
        known++;
      }
      return number;
    },
    get count() {
      return numbers.count;
    },
    finish: () => ({
      hashes: new Int32Array(hashes.values()),
      players: players.values(),
    }),
  };
}
