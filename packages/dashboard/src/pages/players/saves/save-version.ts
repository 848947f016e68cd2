import type { Answer } from '../../../api/operations.ts';

export type SaveVersion =
  Answer<'GET /v1/games/{game_id}/players/{player_id}/saves'>['saves'][number];
