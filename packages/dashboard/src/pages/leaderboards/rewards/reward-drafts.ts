import { formatPercent } from '@overworld/contract/percents';
import type { Answer } from '../../../api/operations.ts';
import { readNumber } from '../../../ui/forms/read-number.ts';

type Board = Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}'>;
export type SeasonReward = Board['season_rewards'][number];
type Gift = SeasonReward['rewards'][number];

/** A gift as it is typed. */
export interface GiftDraft {
  type: Gift['type'];
  key: string;
  /** The quantity of an item, or the change of a statistic. */
  quantity: number | string;
}

/** A reward as it is typed. */
export interface RewardDraft {
  kind: 'ranks' | 'percent';
  from_rank: number | string;
  to_rank: number | string;
  top_percent: number | string;
  title: string;
  text: string;
  gifts: GiftDraft[];
}

export const NEW_GIFT: GiftDraft = { type: 'item', key: '', quantity: 1 };

export const NEW_REWARD: RewardDraft = {
  kind: 'percent',
  from_rank: 1,
  to_rank: 1,
  top_percent: 10,
  title: '',
  text: '',
  gifts: [],
};

export const toDraft = (reward: SeasonReward): RewardDraft => ({
  kind: reward.top_percent === undefined ? 'ranks' : 'percent',
  from_rank: reward.from_rank ?? 1,
  to_rank: reward.to_rank ?? 1,
  top_percent: reward.top_percent ?? 10,
  title: reward.title,
  text: reward.text,
  gifts: reward.rewards.map(({ type, key, quantity, value }) => ({
    type,
    key,
    quantity: quantity ?? value ?? 1,
  })),
});

export const toReward = (draft: RewardDraft): SeasonReward => ({
  ...(draft.kind === 'ranks'
    ? { from_rank: readNumber(draft.from_rank) ?? 1, to_rank: readNumber(draft.to_rank) ?? 1 }
    : { top_percent: readNumber(draft.top_percent) ?? 10 }),
  title: draft.title,
  text: draft.text,
  rewards: draft.gifts.map(({ type, key, quantity }) => ({
    type,
    key,
    ...(type === 'item' ? { quantity: readNumber(quantity) ?? 1 } : {}),
    ...(type === 'stat' ? { value: readNumber(quantity) ?? 1 } : {}),
  })),
});

/** Names the ranks that a reward is for. */
export function ranksInWords({ from_rank = 1, to_rank, top_percent }: SeasonReward): string {
  if (top_percent !== undefined) return `Top ${formatPercent(top_percent)}`;
  return from_rank === to_rank ? `Rank ${from_rank}` : `Ranks ${from_rank} to ${to_rank}`;
}
