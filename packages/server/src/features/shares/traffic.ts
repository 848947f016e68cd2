import { MAX_COUNTED_EVENTS } from '@overworld/contract/games/shares';
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

/**
 * Counts the newest events of an environment, and the requests that sent them, for each player and minute.
 * The database counts requests without events only for all players together. So the result for a busy minute
 * includes a mean of these requests: their number in the last day, divided by the number of minutes in which
 * a player sent events, added up for all players.
 */
export async function measureTraffic(database: Queryable, tenant: Tenant): Promise<Traffic> {
  const ofTenant = isOfTenant(tenant);
  const row = await database.queryOne<Traffic>(sql`
    WITH newest AS MATERIALIZED (
      -- The id of an event begins with the id of its request.
      SELECT id / 128 AS request, player_id, received_at
      FROM events
      WHERE ${ofTenant} AND player_id IS NOT NULL AND received_at > now() - interval '7 days'
      ORDER BY received_at DESC
      LIMIT ${MAX_COUNTED_EVENTS}
    ), minutes AS (
      SELECT count(*) AS events, count(DISTINCT request) AS requests,
             min(received_at) > now() - interval '24 hours' AS is_of_day
      FROM newest
      GROUP BY player_id, date_trunc('minute', received_at)
    ), busy AS (
      SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY events) AS events,
             percentile_disc(0.99) WITHIN GROUP (ORDER BY requests) AS requests
      FROM minutes
    ), day AS (
      SELECT count(*) AS minutes, sum(requests) AS requests FROM minutes WHERE is_of_day
    ), calls AS (
      SELECT sum(with_token + without_token) AS of_day FROM player_call_counts
      WHERE ${ofTenant} AND hour > now() - interval '24 hours'
    ), counted AS (
      SELECT min(received_at) AS since, count(*) AS events, count(DISTINCT player_id) AS players,
             -- The part of the day that the counted events cover; all of it unless there are more.
             CASE WHEN count(*) < ${MAX_COUNTED_EVENTS} THEN 1
                  ELSE LEAST(1, extract(epoch FROM now() - min(received_at)) / 86400) END AS covered
      FROM newest
    )
    SELECT since AS counted_since, counted.events AS event_count, players AS player_count,
           busy.events AS busy_minute_events,
           ceil(busy.requests + COALESCE(
             GREATEST(0, of_day * covered - day.requests) / NULLIF(day.minutes, 0), 0
           ))::bigint AS busy_minute_requests
    FROM counted, busy, day, calls`);
  return row!;
}

/**
 * Counts the events of an environment in this UTC calendar month, as far as they are processed.
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
