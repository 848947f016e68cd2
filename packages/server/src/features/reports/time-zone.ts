import type { getTimeZone as operation } from '@overworld/contract/analytics/time-zone';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';

type TimeZone = SuccessOf<typeof operation>;

/**
 * A change of the time zone counts all events again. It counts at least
 * this many events per second, as measured with five events per session.
 */
const EVENTS_PER_SECOND = 100_000;

/**
 * Reads the time zone of a game, and estimates how long a change to another time zone takes.
 * @throws ApiError 404 when the game is gone.
 */
export async function getTimeZone(database: Queryable, game_id: string): Promise<TimeZone> {
  const row = await database.queryOne<Omit<TimeZone, 'estimated_seconds'>>(sql`
    WITH change AS MATERIALIZED (
      SELECT time_zone, progress FROM time_zone_changes WHERE game_id = ${game_id}
    )
    SELECT time_zone,
           (SELECT json_build_object('time_zone', change.time_zone, 'progress', progress)
            FROM change) AS change,
           (SELECT COALESCE(sum(event_count), 0)::bigint
            FROM daily_event_counts AS counts WHERE counts.game_id = games.id) AS event_count,
           (((events_kept_since + interval '1 hour') AT TIME ZONE time_zone)::date + 1)::text
             AS complete_since
    FROM games WHERE id = ${game_id}`);
  if (row === null) throw notFound('Game not found');
  return { ...row, estimated_seconds: Math.ceil(1 + row.event_count / EVENTS_PER_SECOND) };
}
