import { getActivePlayers } from '@overworld/contract/analytics/players';
import { sql } from '../../../platform/database/sql.ts';
import { tableOf, withGroups } from '../../../platform/reports/csv-report.ts';
import { calendar, divide } from '../days.ts';
import type { RollupReport } from '../report-description.ts';

/** The active and the new players of each day of the range. */
export const activePlayers: RollupReport<typeof getActivePlayers, object> = {
  operation: getActivePlayers,
  readQuestion: () => ({}),

  async readAll(database, { game_id, environment }, { from, to }) {
    const rows = await database.query<DayOfPlayers>(sql`
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
    return toActiveDays(rows);
  },

  toTable: (report) =>
    withGroups(report, ({ days }) =>
      tableOf(
        'active-players',
        ['day', 'daily', 'weekly', 'monthly', 'stickiness', 'new_players'],
        days,
      ),
    ),
};

/** The active players of a day, week and month, and the new players. */
export interface DayOfPlayers {
  day: string;
  daily: number;
  weekly: number;
  monthly: number;
  new_players: number;
}

export const toActiveDays = (rows: readonly DayOfPlayers[]) => ({
  days: rows.map((row) => ({ ...row, stickiness: divide(row.daily, row.monthly) })),
});
