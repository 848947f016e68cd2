import type { Reward } from '@overworld/contract/messages/message-fields';
import { MAX_REWARDS_BYTES } from '@overworld/contract/messages/message-limits';
import { STAT_DECIMALS } from '@overworld/contract/stats/stat-limits';
import { requireBytes } from './byte-size.ts';
import { badRequest } from './errors.ts';

/** The members that a reward of a type may have besides its key. */
const MEMBERS_OF: Record<Reward['type'], readonly string[]> = {
  item: ['quantity', 'data'],
  stat: ['value'],
  achievement: [],
};

/**
 * Checks what the schema of a reward cannot express.
 * @param place Names the reward in the body.
 * @throws ApiError 400 that names the first member that its type does not have, or needs.
 */
export function requireSoundReward(reward: Reward, place: string): void {
  const { type, quantity, value, data } = reward;
  if (type === 'stat' && value === undefined) throw badRequest(`${place}.value is required`);
  for (const [name, given] of Object.entries({ quantity, value, data })) {
    if (given === undefined || MEMBERS_OF[type].includes(name)) continue;
    throw badRequest(`${place}.${name} is not allowed with ${type}`);
  }
  if (value !== undefined && Number(value.toFixed(STAT_DECIMALS)) !== value) {
    throw badRequest(`${place}.value must have at most ${STAT_DECIMALS} decimals`);
  }
}

/**
 * Checks the size of a list of rewards: a list may have a hundred messages, and whoever has the game can ask for it.
 * @param place Names the list in the body.
 * @param written The list as JSON.
 * @throws ApiError 413
 */
export const requireFewRewardBytes = (place: string, written: string): void =>
  requireBytes(place, written, MAX_REWARDS_BYTES);
