import type { getActivePlayers as operation } from '@overworld/contract/analytics/players';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { tableOf } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { Slice, SliceRows } from '../../../platform/reports/player-slices.ts';
import { calendar, divide } from '../days.ts';
import type { Days } from '../days.ts';

type ActivePlayers = SuccessOf<typeof operation>;

/** Counts the active and the new players of each day of the range. */
export async function getActivePlayers(
  database: Queryable,
  tenant: Tenant,
  { from, to, time_zone }: DateRange,
  slice: Slice<'active_days'> | null,
): Promise<ActivePlayers> {
  const rows = slice?.total ?? (await listDays(database, tenant, { from, to }));
  const groups = (slice?.groups ?? []).map(({ rows: days, ...label }) => ({
    ...label,
    days: days.map(withStickiness),
  }));
  return { from, to, time_zone, days: rows.map(withStickiness), groups };
}

type Row = SliceRows['active_days'][number];

const withStickiness = (row: Row) => ({ ...row, stickiness: divide(row.daily, row.monthly) });

const listDays = (
  database: Queryable,
  { game_id, environment }: Tenant,
  { from, to }: Days,
): Promise<Row[]> =>
  database.query<Row>(sql`
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

export const activePlayersTable = ({ days }: Pick<ActivePlayers, 'days'>) =>
  tableOf(
    'active-players',
    ['day', 'daily', 'weekly', 'monthly', 'stickiness', 'new_players'],
    days,
  );
