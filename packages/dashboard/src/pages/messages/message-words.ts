import type { Answer } from '../../api/operations.ts';
import { formatCount } from '../../ui/format.ts';

type Reward = Answer<'GET /v1/games/{game_id}/messages'>['messages'][number]['rewards'][number];

/** Describes a reward, such as `50 × coins`. */
export const rewardWords = ({ type, key, quantity }: Omit<Reward, 'data'>): string =>
  type === 'item' ? `${formatCount(quantity ?? 1)} × ${key}` : `achievement ${key}`;
