import type { getTodaySoFar as operation } from '@overworld/contract/analytics/today';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { tableOf } from '../../platform/reports/csv-report.ts';

type TodaySoFar = SuccessOf<typeof operation>;
type Figures = TodaySoFar['today'];

/** The time after a quarter hour within which its last events arrive. The SDKs send events within seconds. */
const ARRIVAL_MINUTES = 2;
/** The days that are compared, as numbers of days before today. */
const DAYS_AGO = [0, 1, 7] as const;
/**
 * The times for which figures stay in memory. An earlier day seldom changes,
 * because only late events change it.
 */
const KEPT_MS = { today: 60_000, earlier: 15 * 60_000 };
/** The maximum number of day parts in memory. Each takes 200 bytes. */
const MAX_KEPT = 3_000;

/** A part of a day, from midnight on. */
interface DayPart {
  day: string;
  starts_at: string;
  ends_at: string;
  /** Sessions that began before this moment have ended before the day began. */
  looks_back_to: string;
}

/**
 * Reads the figures of today so far, and of earlier days until the same time of day. The rollups
 * have only the players of whole days. For a part of a day, sessions are read, and 100,000 sessions take
 * 60 ms. Figures stay in memory, because everybody who looks at a game asks for the same figures.
 */
export function createTodayReader(): (database: Database, tenant: Tenant) => Promise<TodaySoFar> {
  const kept = new Map<string, { figures: Promise<Figures>; until: number }>();

  const read = (
    database: Database,
    tenant: Tenant,
    part: DayPart,
    kept_ms: number,
  ): Promise<Figures> => {
    const key = [tenant.game_id, tenant.environment, part.starts_at, part.ends_at].join(' ');
    const known = kept.get(key);
    if (known !== undefined && known.until > performance.now()) return known.figures;
    const figures = readFigures(database, tenant, part);
    kept.delete(key);
    kept.set(key, { figures, until: performance.now() + kept_ms });
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    figures.catch(() => kept.delete(key));
    return figures;
  };

  return async (database, tenant) => {
    const { time_zone, parts } = await listParts(database, tenant.game_id);
    const figures: Figures[] = [];
    // The parts are read one after the other, because this report counts as only one of
    // the reads that may run at the same time.
    for (const [place, part] of parts.entries()) {
      figures.push(
        await read(database, tenant, part, place === 0 ? KEPT_MS.today : KEPT_MS.earlier),
      );
    }
    const [today, yesterday, last_week] = figures;
    return {
      time_zone,
      until: parts[0]!.ends_at,
      today: today!,
      yesterday: yesterday!,
      last_week: last_week!,
    };
  };
}

/** @throws ApiError 404 when the game is gone. */
async function listParts(
  database: Queryable,
  game_id: string,
): Promise<{ time_zone: string; parts: DayPart[] }> {
  const rows = await database.query<DayPart & { time_zone: string }>(sql`
    SELECT time_zone, day::text AS day, starts_at,
           starts_at - interval '1 day' AS looks_back_to,
           -- In the hour that a change of clocks leaves out, the time of day may lie before midnight.
           GREATEST(starts_at, (local_end - days_ago * interval '1 day') AT TIME ZONE time_zone)
             AS ends_at
    FROM games
    CROSS JOIN LATERAL (
      SELECT date_bin('15 minutes', now() - ${ARRIVAL_MINUTES}::integer * interval '1 minute',
                      'epoch') AT TIME ZONE time_zone AS local_end,
             (now() AT TIME ZONE time_zone)::date AS today
    ) AS clock
    CROSS JOIN unnest(${[...DAYS_AGO]}::integer[]) AS days_ago
    CROSS JOIN LATERAL (
      SELECT today - days_ago AS day, (today - days_ago)::timestamp AT TIME ZONE time_zone AS starts_at
    ) AS days
    WHERE games.id = ${game_id}
    ORDER BY days_ago`);
  const [first] = rows;
  if (first === undefined) throw notFound('Game not found');
  return { time_zone: first.time_zone, parts: rows };
}

async function readFigures(
  database: Queryable,
  { game_id, environment }: Tenant,
  { day, starts_at, ends_at, looks_back_to }: DayPart,
): Promise<Figures> {
  const row = await database.queryOne<Figures>(sql`
    WITH begun AS MATERIALIZED (
      SELECT player_id, session_id, started_at, last_event_at
      FROM sessions
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND started_at > '-infinity' AND started_at >= ${looks_back_to}::timestamptz AND started_at < ${ends_at}::timestamptz
        AND last_event_at >= ${starts_at}::timestamptz
    ), active AS MATERIALIZED (
      SELECT DISTINCT player_id
      FROM begun
      WHERE player_id <> '' AND CASE
        WHEN started_at >= ${starts_at}::timestamptz OR last_event_at < ${ends_at}::timestamptz
          THEN true
        -- The session passes the whole part of the day: only its events tell.
        ELSE EXISTS (
          SELECT FROM events
          WHERE events.game_id = ${game_id} AND events.environment = ${environment}
            AND events.player_id = begun.player_id AND events.session_id = begun.session_id
            AND received_at >= ${starts_at}::timestamptz - interval '1 hour'
            AND occurred_at >= ${starts_at}::timestamptz AND occurred_at < ${ends_at}::timestamptz
        )
      END
    )
    SELECT ${day}::text AS day,
           (SELECT count(*) FROM active) AS active_players,
           (SELECT count(*) FROM active
            JOIN player_activity USING (player_id)
            WHERE game_id = ${game_id} AND environment = ${environment}
              AND first_day = ${day}::date) AS new_players,
           (SELECT count(*) FROM begun WHERE started_at >= ${starts_at}::timestamptz)
             AS session_count,
           (SELECT COALESCE(sum(event_count), 0)::bigint
            FROM event_counts
            WHERE game_id = ${game_id} AND environment = ${environment}
              AND quarter >= ${starts_at}::timestamptz AND quarter < ${ends_at}::timestamptz)
             AS event_count`);
  return row!;
}

export const todayTable = ({ today, yesterday, last_week }: TodaySoFar) =>
  tableOf(
    'today-so-far',
    ['day', 'active_players', 'new_players', 'session_count', 'event_count'],
    [today, yesterday, last_week],
  );
