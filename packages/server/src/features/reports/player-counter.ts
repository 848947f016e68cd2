/** -1, the number of events without a player, in a column of unsigned integers. */
const NO_PLAYER = 0xffff_ffff;

/** Makes a function that counts the different players in a list. */
export function createPlayerCounter(player_count: number) {
  /** For each player, the number of the last list in which the player was counted. */
  const counted = new Uint32Array(player_count);
  let list = 0;
  return (players: Uint32Array) => {
    list++;
    let unique = 0;
    for (let index = 0; index < players.length; index++) {
      const player = players[index]!;
      if (player === NO_PLAYER || counted[player] === list) continue;
      counted[player] = list;
      unique++;
    }
    return unique;
  };
}
