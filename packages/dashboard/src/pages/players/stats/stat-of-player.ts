import type { Answer } from '../../../api/operations.ts';

/** A statistic with the value of a player. */
export type StatOfPlayer =
  Answer<'GET /v1/games/{game_id}/players/{player_id}/stats'>['stats'][number];
