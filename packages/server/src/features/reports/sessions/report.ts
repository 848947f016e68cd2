import {
  getSessionReport,
  SESSION_LENGTH_BOUNDS_SECONDS,
} from '@overworld/contract/analytics/sessions';
import { sql } from '../../../platform/database/sql.ts';
import { withGroups } from '../../../platform/reports/csv-report.ts';
import { calendar, divide, isOfDays, sum } from '../days.ts';
import type { RollupReport } from '../report-description.ts';

/** The sessions of each day of the range, with their lengths. */
export const sessions: RollupReport<typeof getSessionReport, object> = {
  operation: getSessionReport,
  readQuestion: () => ({}),

  async readAll(database, tenant, { from, to }) {
    const range = { from, to };
    const isOfRange = isOfDays(tenant, range);
    const rows = await database.query<DayOfSessions>(sql`
      SELECT day::text AS day,
             COALESCE(player_session_count, 0)::bigint AS player_session_count,
             COALESCE(total_seconds, 0)::bigint AS total_seconds,
             COALESCE(active_players, 0) AS active_players, COALESCE(classes, '{}') AS classes
      FROM ${calendar(range)}
      LEFT JOIN (
        SELECT day, sum(player_session_count) AS player_session_count,
               sum(total_seconds) AS total_seconds,
               json_object_agg(length_class, session_count) AS classes
        FROM daily_sessions
        WHERE ${isOfRange}
        GROUP BY day
      ) AS counted USING (day)
      LEFT JOIN (SELECT day, active_players FROM daily_players WHERE ${isOfRange}) AS players
        USING (day)
      ORDER BY day`);
    return toSessionDays(rows);
  },

  toTable: (report) =>
    withGroups(report, ({ days }) => ({
      name: 'sessions',
      columns: [
        'day',
        'session_count',
        'sessions_per_player',
        'average_seconds',
        ...starts.map((start) => `from_${start}_seconds`),
      ],
      rows: days.map((row) => [
        row.day,
        row.session_count,
        row.sessions_per_player,
        row.average_seconds,
        ...row.lengths,
      ]),
    })),
};

const starts: readonly number[] = [0, ...SESSION_LENGTH_BOUNDS_SECONDS];

export interface DayOfSessions {
  day: string;
  /** The sessions that name a player. */
  player_session_count: number;
  total_seconds: number;
  active_players: number;
  /** The number of sessions in each class of session lengths. */
  classes: { readonly [length_class: number]: number };
}

export function toSessionDays(rows: readonly DayOfSessions[]) {
  const days = rows.map(({ day, player_session_count, total_seconds, active_players, classes }) => {
    const lengths = starts.map((_start, index) => classes[index] ?? 0);
    const session_count = sum(lengths);
    return {
      day,
      session_count,
      sessions_per_player: divide(player_session_count, active_players),
      average_seconds: divide(total_seconds, session_count),
      lengths,
    };
  });
  const session_count = sum(days.map((day) => day.session_count));
  const average_seconds = divide(sum(rows.map((row) => row.total_seconds)), session_count);
  const length_classes = starts.map((from_seconds, index) => ({
    from_seconds,
    below_seconds: starts[index + 1] ?? null,
    session_count: sum(days.map(({ lengths }) => lengths[index]!)),
  }));
  return { length_classes, session_count, average_seconds, days };
}
