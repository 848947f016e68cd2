import type { Environment } from '@overworld/contract/common';

/** One environment of one game: no statement about players' data reaches beyond it. */
export interface Tenant {
  game_id: string;
  environment: Environment;
}

/** Names one player: the key of every row of a player's data starts with these. */
export interface PlayerKey extends Tenant {
  player_id: string;
}

/** The key of a player as one text, for maps: no two players have the same. */
export const nameOfPlayer = ({ game_id, environment, player_id }: PlayerKey): string =>
  `${game_id} ${environment} ${player_id}`;
