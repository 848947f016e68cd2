import { limitReachedBody } from '@overworld/contract/limits';
import type { LimitedThing, LimitOverrides } from '@overworld/contract/limits';
import { TIERS } from '@overworld/contract/tiers';
import type { LimitedResource, RefusedResource, Tier } from '@overworld/contract/tiers';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ApiError, notFound } from '../errors.ts';

/** The columns of a game that decide its limits. */
export interface GameLimits {
  tier: Tier;
  limit_overrides: LimitOverrides;
}

/** Finds a game's limit of a resource: the administrator's override, or the limit of its tier. */
export const limitOf = ({ tier, limit_overrides }: GameLimits, resource: LimitedResource): number =>
  limit_overrides[resource] ?? TIERS[tier].limits[resource];

/** The 403 error when a limit is reached and nothing was stored. */
export function limitReached(resource: LimitedThing, limit: number, used: number): ApiError {
  const { error, ...context } = limitReachedBody(resource, limit, used);
  return new ApiError(403, error, context);
}

/** Reads a game's limit of a resource; null when the game is gone. */
export async function findLimit(
  database: Queryable,
  game_id: string,
  resource: LimitedResource,
): Promise<number | null> {
  const game = await database.queryOne<GameLimits>(
    sql`SELECT tier, limit_overrides FROM games WHERE id = ${game_id}`,
  );
  return game && limitOf(game, resource);
}

/**
 * Refuses more of a resource if its limit would be passed. The caller counts the resource itself, and takes
 * the game's lock (`lockGame`) before counting, so that simultaneous requests wait for each other.
 * @param added The number of those that would be added.
 * @throws ApiError 403 when the game would have more than it may have, 404 when the game is gone.
 */
export async function requireRoom(
  tx: Queryable,
  game_id: string,
  resource: RefusedResource,
  used: number,
  added = 1,
): Promise<void> {
  const limit = await findLimit(tx, game_id, resource);
  if (limit === null) throw notFound('Game not found');
  if (used + added > limit) throw limitReached(resource, limit, used);
}
