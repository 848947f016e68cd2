import { LIMIT_REACHED } from '@overworld/contract/limits';
import type { LimitOverrides } from '@overworld/contract/limits';
import { TIERS } from '@overworld/contract/tiers';
import type { LimitedResource, Tier } from '@overworld/contract/tiers';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ApiError, notFound } from '../errors.ts';

/** The columns of a game that decide its limits. */
export interface GameLimits {
  tier: Tier;
  limit_overrides: LimitOverrides;
}

/** A game's limit of a resource: the administrator's override, or the limit of its tier. */
export const limitOf = ({ tier, limit_overrides }: GameLimits, resource: LimitedResource): number =>
  limit_overrides[resource] ?? TIERS[tier].limits[resource];

const ASK = 'or ask an administrator of this installation for more';

/** The limit in words, and the way out where there is one. */
const WORDS: Record<LimitedResource, (limit: string) => string> = {
  save_bytes: (limit) => `${limit} bytes of saves`,
  players: (limit) => `${limit} players`,
  leaderboard_entries: (limit) => `${limit} leaderboard entries`,
  leaderboards: (limit) => `${limit} leaderboards: delete one, ${ASK}`,
  achievements: (limit) => `${limit} achievements: delete one, ${ASK}`,
  event_schemas: (limit) => `${limit} event schemas: delete one, ${ASK}`,
  members: (limit) => `${limit} members: remove one, ${ASK}`,
  daily_invitations: (limit) => `${limit} invitations in 24 hours: try again tomorrow, ${ASK}`,
};

/** 403: the game has reached a limit, and nothing was stored. */
export const limitReached = (resource: LimitedResource, limit: number, used: number) =>
  new ApiError(
    403,
    `This game has reached its limit of ${WORDS[resource](limit.toLocaleString('en'))}`,
    { code: LIMIT_REACHED, resource, limit, used },
  );

/**
 * Refuses one more of a resource that the caller counts itself. Take the game's lock (`lockGame`)
 * before counting, so that simultaneous requests wait for each other.
 * @throws ApiError 403 when the game has as many as it may have, 404 when the game is gone.
 */
export async function requireRoom(
  tx: Queryable,
  game_id: string,
  resource: LimitedResource,
  used: number,
): Promise<void> {
  const game = await tx.queryOne<GameLimits>(
    sql`SELECT tier, limit_overrides FROM games WHERE id = ${game_id}`,
  );
  if (game === null) throw notFound('Game not found');
  const limit = limitOf(game, resource);
  if (used >= limit) throw limitReached(resource, limit, used);
}
