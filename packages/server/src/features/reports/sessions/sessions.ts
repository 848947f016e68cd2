import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import type { getSessionReport as operation } from '@overworld/contract/analytics/sessions';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { Slice, SliceRows } from '../../../platform/reports/player-slices.ts';
import { calendar, divide, isOfDays, sum } from '../days.ts';
import type { Days } from '../days.ts';

type SessionReport = SuccessOf<typeof operation>;

/** Counts the sessions of each day of the range, with their lengths. */
export async function getSessionReport(
  database: Queryable,
  tenant: Tenant,
  { from, to, time_zone }: DateRange,
  slice: Slice<'sessions'> | null,
): Promise<SessionReport> {
  const read = async (source: SessionSource) =>
    toReport(await listDays(database, source, { from, to }));
  const total = slice?.total ?? null;
  const range = { from, to };
  const all = await read(total === null ? storedSessions(tenant, range) : givenSessions(total));
  const groups: SessionReport['groups'] = [];
  for (const { rows, ...label } of slice?.groups ?? []) {
    groups.push({ ...label, ...(await read(givenSessions(rows))) });
  }
  return { from, to, time_zone, ...all, groups };
}

function toReport(rows: readonly DayRow[]) {
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

const starts: readonly number[] = [0, ...SESSION_LENGTH_BOUNDS_SECONDS];

interface DayRow {
  day: string;
  player_session_count: number;
  total_seconds: number;
  active_players: number;
  /** The number of sessions in each class of session lengths. */
  classes: Record<string, number>;
}

/** SQL for two tables: the numbers of sessions, and the active players of each day. */
interface SessionSource {
  counts: Sql;
  active: Sql;
}

function storedSessions(tenant: Tenant, range: Days): SessionSource {
  const isOfRange = isOfDays(tenant, range);
  return {
    counts: sql`(SELECT * FROM daily_sessions WHERE ${isOfRange}) AS counts`,
    active: sql`(SELECT day, active_players FROM daily_players WHERE ${isOfRange}) AS players`,
  };
}

const givenSessions = ({ counts, active }: SliceRows['sessions']): SessionSource => ({
  counts: sql`
    unnest(${counts.map(({ day }) => day)}::date[],
           ${counts.map(({ length_class }) => length_class)}::integer[],
           ${counts.map(({ session_count }) => session_count)}::bigint[],
           ${counts.map(({ session_count }) => session_count)}::bigint[],
           ${counts.map(({ total_seconds }) => total_seconds)}::bigint[])
      AS counts (day, length_class, session_count, player_session_count, total_seconds)`,
  active: sql`
    unnest(${active.map(({ day }) => day)}::date[],
           ${active.map(({ active_players }) => active_players)}::bigint[])
      AS players (day, active_players)`,
});

async function listDays(
  database: Queryable,
  { counts, active }: SessionSource,
  range: Days,
): Promise<DayRow[]> {
  return database.query<DayRow>(sql`
    SELECT day::text AS day,
           COALESCE(player_session_count, 0)::bigint AS player_session_count,
           COALESCE(total_seconds, 0)::bigint AS total_seconds,
           COALESCE(active_players, 0) AS active_players, COALESCE(classes, '{}') AS classes
    FROM ${calendar(range)}
    LEFT JOIN (
      SELECT day, sum(player_session_count) AS player_session_count,
             sum(total_seconds) AS total_seconds,
             json_object_agg(length_class, session_count) AS classes
      FROM ${counts}
      GROUP BY day
    ) AS counted USING (day)
    LEFT JOIN ${active} USING (day)
    ORDER BY day`);
}

export const sessionTable = ({ days }: Pick<SessionReport, 'days'>): CsvTable => ({
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
});
