import { REWARD_TYPES } from '@overworld/contract/messages/message-fields';
import type { Reward } from '@overworld/contract/messages/message-fields';
import type { Queryable } from '../../platform/database/database.ts';
import { badRequest } from '../../platform/errors.ts';
import type { ApiError } from '../../platform/errors.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** A reward and the player who gets it. */
export interface GivenReward extends PlayerKey {
  reward: Reward;
}

/** A reward and its name in the body of a request, such as `rewards[0]`. */
export interface PlacedReward extends Reward {
  place: string;
}

/** Gives the rewards of one type. The feature whose things they are states it. */
export interface RewardGiver {
  /**
   * Gives rewards, in the transaction of their claims. The players exist and are locked.
   * @returns for each reward whether the thing exists still; if not, nothing is given. An error refuses the whole
   * claim, and the transaction is then rolled back.
   */
  give(tx: Queryable, rewards: readonly GivenReward[]): Promise<(boolean | ApiError)[]>;
  /** Finds those of these keys that name nothing in the game. */
  listUnknown(tx: Queryable, game_id: string, keys: readonly string[]): Promise<string[]>;
}

/** The givers of all types that the server gives. The game gives items by itself. */
export type RewardGivers = Readonly<Record<Exclude<Reward['type'], 'item'>, RewardGiver>>;

const giverOf = (givers: RewardGivers, type: Reward['type']): RewardGiver | null =>
  type === 'item' ? null : givers[type];

/** Gives rewards of all types. @returns for each whether it was given, or the error that refuses it. */
export async function giveRewards(
  tx: Queryable,
  givers: RewardGivers,
  rewards: readonly GivenReward[],
): Promise<(boolean | ApiError)[]> {
  const given: (boolean | ApiError)[] = rewards.map(() => true);
  for (const type of REWARD_TYPES) {
    const giver = giverOf(givers, type);
    const places = [...rewards.keys()].filter((place) => rewards[place]!.reward.type === type);
    if (giver === null || places.length === 0) continue;
    const results = await giver.give(
      tx,
      places.map((place) => rewards[place]!),
    );
    places.forEach((place, index) => (given[place] = results[index]!));
  }
  return given;
}

/** @throws ApiError 400 that names the first reward whose thing the game does not have. */
export async function requireKnownRewards(
  tx: Queryable,
  givers: RewardGivers,
  game_id: string,
  rewards: readonly PlacedReward[],
): Promise<void> {
  for (const type of REWARD_TYPES) {
    const giver = giverOf(givers, type);
    const keys = rewards.filter((reward) => reward.type === type).map(({ key }) => key);
    if (giver === null || keys.length === 0) continue;
    const [unknown] = await giver.listUnknown(tx, game_id, keys);
    if (unknown === undefined) continue;
    const { place } = rewards.find((reward) => reward.type === type && reward.key === unknown)!;
    throw badRequest(`${place}.key names no ${type} of the game`);
  }
}
