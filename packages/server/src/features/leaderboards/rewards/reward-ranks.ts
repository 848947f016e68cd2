import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import { badRequest } from '../../../platform/errors.ts';
import { requireFewRewardBytes, requireSoundReward } from '../../../platform/rewards.ts';

/** The ranks that a reward is for, whatever the rewards before it are for. */
export interface RankRange {
  from: number;
  /** Less than `from` if no rank gets the reward. */
  to: number;
}

/**
 * @throws ApiError 400 for a reward without ranks, or with two kinds of them, and for a gift with wrong members; 413
 * for gifts that are too large for a message.
 */
export function requireSoundRewards(rewards: readonly SeasonReward[]): void {
  for (const [place, { from_rank, to_rank, top_percent, rewards: gifts }] of rewards.entries()) {
    const name = `season_rewards[${place}]`;
    const ranks = [from_rank, to_rank].filter((rank) => rank !== undefined).length;
    if (ranks === 1 || (ranks === 2) === (top_percent !== undefined)) {
      throw badRequest(`${name} must have from_rank and to_rank, or top_percent`);
    }
    if (to_rank !== undefined && to_rank < from_rank!) {
      throw badRequest(`${name}.to_rank must not be less than from_rank`);
    }
    for (const [index, gift] of gifts.entries()) {
      requireSoundReward(gift, `${name}.rewards[${index}]`);
    }
    requireFewRewardBytes(`${name}.rewards`, JSON.stringify(gifts));
  }
}

/** Finds the ranks of each reward on a board with this number of entries. */
export const rangesOf = (rewards: readonly SeasonReward[], total_entries: number): RankRange[] =>
  rewards.map(({ from_rank = 1, to_rank, top_percent }) => ({
    from: from_rank,
    to: Math.min(total_entries, to_rank ?? countTop(total_entries, top_percent!)),
  }));

/** A part of an entry counts as one. The numbers are rounded first, because 0.07 × 100 is more than 7. */
const countTop = (total_entries: number, top_percent: number): number =>
  Math.ceil(Number(((total_entries * top_percent) / 100).toPrecision(12)));

/** Finds the first reward that has the rank. @returns its place in the list, or null. */
export function findReward(ranges: readonly RankRange[], rank: number): number | null {
  const place = ranges.findIndex(({ from, to }) => from <= rank && rank <= to);
  return place === -1 ? null : place;
}

/** The ranks that get a reward, because no reward before it has them. */
export interface OwnRanks {
  first_rank: number | null;
  last_rank: number | null;
  count: number;
  /** The first ranks, as many as were asked for. */
  examples: number[];
}

/** Finds for each reward the ranks that no reward before it has. @param examples The most ranks to list. */
export function listOwnRanks(ranges: readonly RankRange[], examples: number): OwnRanks[] {
  // Between two neighbouring bounds, all ranks get the same reward.
  const bounds = [...new Set(ranges.flatMap(({ from, to }) => [from, to + 1]))].toSorted(
    (a, b) => a - b,
  );
  const own = ranges.map((): OwnRanks => ({
    first_rank: null,
    last_rank: null,
    count: 0,
    examples: [],
  }));
  for (const [index, start] of bounds.slice(0, -1).entries()) {
    const place = findReward(ranges, start);
    if (place === null) continue;
    const ranks = own[place]!;
    const end = bounds[index + 1]!;
    ranks.first_rank ??= start;
    ranks.last_rank = end - 1;
    ranks.count += end - start;
    for (let rank = start; rank < end && ranks.examples.length < examples; rank++) {
      ranks.examples.push(rank);
    }
  }
  return own;
}
