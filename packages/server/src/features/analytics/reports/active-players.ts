import type { getActivePlayers as operation } from '@overworld/contract/analytics/players';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { tableOf } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import { calendar, divide } from './days.ts';

type ActivePlayers = SuccessOf<typeof operation>;

/** Active and new players of each day of the range. */
export async function getActivePlayers(
  database: Queryable,
  { game_id, environment }: Tenant,
  { from, to, time_zone }: DateRange,
): Promise<ActivePlayers> {
  const rows = await database.query<Omit<ActivePlayers['days'][number], 'stickiness'>>(sql`
    WITH known AS (
      SELECT GREATEST(day, ${from}::date) AS day, day < ${from}::date AS is_before,
             active_players, new_players, weekly_change, monthly_change
      FROM daily_players
      WHERE game_id = ${game_id} AND environment = ${environment} AND day <= ${to}::date
    ), changes AS (
      SELECT day, sum(weekly_change) AS weekly_change, sum(monthly_change) AS monthly_change,
             COALESCE(sum(active_players) FILTER (WHERE NOT is_before), 0) AS daily,
             COALESCE(sum(new_players) FILTER (WHERE NOT is_before), 0) AS new_players
      FROM known
      GROUP BY day
    )
    SELECT day::date::text AS day, COALESCE(daily, 0)::bigint AS daily,
           COALESCE(sum(weekly_change) OVER until, 0)::bigint AS weekly,
           COALESCE(sum(monthly_change) OVER until, 0)::bigint AS monthly,
           COALESCE(new_players, 0)::bigint AS new_players
    FROM ${calendar({ from, to })}
    LEFT JOIN changes USING (day)
    WINDOW until AS (ORDER BY day)
    ORDER BY day`);
  const days = rows.map((row) => ({ ...row, stickiness: divide(row.daily, row.monthly) }));
  return { from, to, time_zone, days };
}

export const activePlayersTable = ({ days }: ActivePlayers) =>
  tableOf(
    'active-players',
    ['day', 'daily', 'weekly', 'monthly', 'stickiness', 'new_players'],
    days,
  );
