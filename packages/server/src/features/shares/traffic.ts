import type { getShares } from '@overworld/contract/games/shares';
import type { SuccessOf } from '@overworld/contract/operation';
import { TIERS } from '@overworld/contract/tiers';
import type { Tier } from '@overworld/contract/tiers';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

export type Month = SuccessOf<typeof getShares>['month'];
export type Traffic = SuccessOf<typeof getShares>['traffic'];

/** The contract states this number in words. */
const MAX_COUNTED_EVENTS = 100_000;

/**
 * Counts the newest events of an environment by player and minute. For requests, which are not stored by
 * player, it takes the ratio of all calls about players to all events of the last day.
 */
export async function measureTraffic(database: Queryable, tenant: Tenant): Promise<Traffic> {
  const ofTenant = isOfTenant(tenant);
  const row = await database.queryOne<Traffic>(sql`
    WITH newest AS MATERIALIZED (
      SELECT player_id, received_at
      FROM events
      WHERE ${ofTenant} AND player_id IS NOT NULL AND received_at > now() - interval '7 days'
      ORDER BY received_at DESC
      LIMIT ${MAX_COUNTED_EVENTS}
    ), minutes AS (
      SELECT count(*) AS events FROM newest GROUP BY player_id, date_trunc('minute', received_at)
    ), busy AS (
      SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY events) AS events FROM minutes
    ), day AS (
      SELECT (SELECT sum(with_token + without_token) FROM player_call_counts
              WHERE ${ofTenant} AND hour > now() - interval '24 hours') AS calls,
             (SELECT sum(event_count) FROM event_counts
              WHERE ${ofTenant} AND quarter > now() - interval '24 hours') AS events
    )
    SELECT (SELECT min(received_at) FROM newest) AS counted_since,
           (SELECT count(*) FROM newest) AS event_count,
           (SELECT count(DISTINCT player_id) FROM newest) AS player_count,
           busy.events AS busy_minute_events,
           ceil(busy.events * day.calls / NULLIF(day.events, 0))::bigint AS busy_minute_requests
    FROM busy, day`);
  return row!;
}

/**
 * Events of an environment in this UTC calendar month, as far as they are processed.
 * @throws ApiError 404 when the game is gone.
 */
export async function getMonth(database: Queryable, tenant: Tenant): Promise<Month> {
  const row = await database.queryOne<{ used: number; tier: Tier }>(sql`
    SELECT tier,
           COALESCE((SELECT sum(event_count) FROM event_key_usage
                     WHERE ${isOfTenant(tenant)}
                       AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0)::bigint
             AS used
    FROM games
    WHERE id = ${tenant.game_id}`);
  if (row === null) throw notFound('Game not found');
  return { used: row.used, quota: TIERS[row.tier].event_quota };
}
