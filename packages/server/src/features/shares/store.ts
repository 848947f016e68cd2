import { SHARE_NAMES } from '@overworld/contract/games/shares';
import type { Shares } from '@overworld/contract/games/shares';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** Gets the limits (`Shares`) that an environment sets for one player, for one network, and for its keys. */
export async function getShares(database: Queryable, tenant: Tenant): Promise<Shares> {
  const row = await database.queryOne<{ shares: Partial<Shares> }>(sql`
    SELECT shares FROM share_settings WHERE ${isOfTenant(tenant)}`);
  return pickShares(row?.shares ?? {});
}

/**
 * Finds the number of requests per minute that an administrator has
 * set for each key of the game; null if the usual limit applies.
 */
export async function findRaisedRequests(
  database: Queryable,
  game_id: string,
): Promise<number | null> {
  const row = await database.queryOne<{ raised: number | null }>(sql`
    SELECT (limit_overrides->>'key_requests_per_minute')::integer AS raised
    FROM games WHERE id = ${game_id}`);
  return row?.raised ?? null;
}

/** Stores the shares of an environment. An environment in which no share is set has no row. */
export async function putShares(tx: Queryable, tenant: Tenant, shares: Shares): Promise<void> {
  const { game_id, environment } = tenant;
  if (Object.values(shares).every((share) => share === null)) {
    await tx.execute(sql`DELETE FROM share_settings WHERE ${isOfTenant(tenant)}`);
    return;
  }
  await tx.execute(sql`
    INSERT INTO share_settings (game_id, environment, shares)
    VALUES (${game_id}, ${environment}, ${JSON.stringify(shares)}::jsonb)
    ON CONFLICT (game_id, environment) DO UPDATE SET shares = EXCLUDED.shares`);
}

/** Picks all shares from an object, without its other members. */
export const pickShares = (from: Partial<Shares>): Shares =>
  Object.fromEntries(SHARE_NAMES.map((name) => [name, from[name] ?? null])) as Shares;
