import type { PlayerKey } from '../../platform/players/player-key.ts';

/** The key as one text, unique, for maps. */
export const nameOf = ({ game_id, environment, player_id }: PlayerKey): string =>
  `${game_id} ${environment} ${player_id}`;
