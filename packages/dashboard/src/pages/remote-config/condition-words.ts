import type { Answer } from '../../api/operations.ts';

type Preview = Answer<'POST /v1/games/{game_id}/config/preview'>;

/** Why a rule does not match a player, by the condition that does not hold. */
export const CONDITION_WORDS: Record<Preview['decisions'][number]['unmatched'][number], string> = {
  player: 'no player given',
  has_tags: 'lacks a tag',
  lacks_tags: 'has a tag',
  properties: 'properties differ',
  percentage: 'not in the percentage',
};
