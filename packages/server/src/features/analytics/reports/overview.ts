import { OVERVIEW_DAYS } from '@overworld/contract/analytics/overview';
import { TIERS } from '@overworld/contract/tiers';
import type { Tier } from '@overworld/contract/tiers';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';

interface DayFigures {
  day: string;
  active_players: number;
  new_players: number;
  session_count: number;
  event_count: number;
}

export interface Overview {
  time_zone: string;
  today: DayFigures;
  yesterday: DayFigures;
  last_week: DayFigures;
  quota: { used: number; limit: number };
  days: DayFigures[];
}

/**
 * Figures of the last days of a game, today the last.
 * @param used Events that the game has sent this month.
 * @throws ApiError 404 when the game is gone.
 */
export async function getOverview(
  database: Queryable,
  tenant: Tenant,
  used: number,
): Promise<Overview> {
  const game = await database.queryOne<{ time_zone: string; tier: Tier; today: string }>(sql`
    SELECT time_zone, tier, (now() AT TIME ZONE time_zone)::date::text AS today
    FROM games WHERE id = ${tenant.game_id}`);
  if (game === null) throw notFound('Game not found');
  const days = await listDays(database, tenant, game.today);
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
  { game_id, environment }: Tenant,
  today: string,
): Promise<DayFigures[]> {
  const of_days = sql`
    game_id = ${game_id} AND environment = ${environment}
    AND day > ${today}::date - ${OVERVIEW_DAYS}::integer AND day <= ${today}::date`;
  return database.query<DayFigures>(sql`
    SELECT day::text AS day, COALESCE(active_players, 0) AS active_players,
           COALESCE(new_players, 0) AS new_players,
           COALESCE(session_count, 0)::bigint AS session_count,
           COALESCE(event_count, 0)::bigint AS event_count
    FROM (
      SELECT ${today}::date - place AS day
      FROM generate_series(0, ${OVERVIEW_DAYS - 1}::integer) AS place
    ) AS calendar
    LEFT JOIN (SELECT day, active_players, new_players FROM daily_players WHERE ${of_days})
      AS players USING (day)
    LEFT JOIN (SELECT day, sum(session_count) AS session_count FROM daily_sessions
               WHERE ${of_days} GROUP BY day) AS sessions USING (day)
    LEFT JOIN (SELECT day, sum(event_count) AS event_count FROM daily_event_counts
               WHERE ${of_days} GROUP BY day) AS events USING (day)
    ORDER BY day`);
}

export const overviewTable = ({ days }: Overview): CsvTable => ({
  name: 'overview',
  columns: ['day', 'active_players', 'new_players', 'session_count', 'event_count'],
  rows: days.map((row) => [
    row.day,
    row.active_players,
    row.new_players,
    row.session_count,
    row.event_count,
  ]),
});
