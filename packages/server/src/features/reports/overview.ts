import { OVERVIEW_DAYS } from '@overworld/contract/analytics/overview';
import type { getOverview as operation } from '@overworld/contract/analytics/overview';
import type { SuccessOf } from '@overworld/contract/operation';
import { TIERS } from '@overworld/contract/tiers';
import type { Tier } from '@overworld/contract/tiers';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { tableOf } from '../../platform/reports/csv-report.ts';
import { calendar, isOfDays } from './days.ts';
import type { Days } from './days.ts';

type Overview = SuccessOf<typeof operation>;

/**
 * Reads the figures of the last days of a game, including today.
 * @param used The number of events that the game has sent this month.
 * @throws ApiError 404 when the game is gone.
 */
export async function getOverview(
  database: Queryable,
  tenant: Tenant,
  used: number,
): Promise<Overview> {
  const game = await database.queryOne<Days & { time_zone: string; tier: Tier }>(sql`
    SELECT time_zone, tier, today::text AS to, (today - ${OVERVIEW_DAYS - 1}::integer)::text AS from
    FROM games
    CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE time_zone)::date AS today) AS clock
    WHERE id = ${tenant.game_id}`);
  if (game === null) throw notFound('Game not found');
  const days = await listDays(database, tenant, game);
  return {
    time_zone: game.time_zone,
    today: days.at(-1)!,
    yesterday: days.at(-2)!,
    last_week: days.at(-8)!,
    quota: { used, limit: TIERS[game.tier].event_quota },
    days,
  };
}

async function listDays(
  database: Queryable,
  tenant: Tenant,
  range: Days,
): Promise<Overview['days']> {
  const isOfRange = isOfDays(tenant, range);
  return database.query(sql`
    SELECT day::text AS day, COALESCE(active_players, 0) AS active_players,
           COALESCE(new_players, 0) AS new_players,
           COALESCE(session_count, 0)::bigint AS session_count,
           COALESCE(event_count, 0)::bigint AS event_count
    FROM ${calendar(range)}
    LEFT JOIN (SELECT day, active_players, new_players FROM daily_players WHERE ${isOfRange})
      AS players USING (day)
    LEFT JOIN (SELECT day, sum(session_count) AS session_count FROM daily_sessions
               WHERE ${isOfRange} GROUP BY day) AS sessions USING (day)
    LEFT JOIN (SELECT day, sum(event_count) AS event_count FROM daily_event_counts
               WHERE ${isOfRange} GROUP BY day) AS events USING (day)
    ORDER BY day`);
}

export const overviewTable = ({ days }: Overview) =>
  tableOf(
    'overview',
    ['day', 'active_players', 'new_players', 'session_count', 'event_count'],
    days,
  );
