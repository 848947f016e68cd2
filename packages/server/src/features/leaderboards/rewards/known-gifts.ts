import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import type { Queryable } from '../../../platform/database/database.ts';

type PlacedGift = SeasonReward['rewards'][number] & { place: string };

/**
 * Checks that the statistics and the achievements of gifts exist, as those of messages must.
 * @throws ApiError 400 that names the first gift whose thing the game does not have.
 */
export type RequireKnown = (
  tx: Queryable,
  game_id: string,
  gifts: readonly PlacedGift[],
) => Promise<void>;

/** Gives each gift of the rewards its name in the body. */
export const placeGifts = (rewards: readonly SeasonReward[]): PlacedGift[] =>
  rewards.flatMap(({ rewards: gifts }, place) =>
    gifts.map((gift, index) => ({ ...gift, place: `season_rewards[${place}].rewards[${index}]` })),
  );
