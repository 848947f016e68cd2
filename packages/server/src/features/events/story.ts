import type { Queryable } from '../../platform/database/database.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import type { Session } from '../../platform/players/player-history.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { microseconds, momentOf } from '../../platform/players/story-source.ts';
import type {
  StoryEntry,
  StoryPart,
  StoryPosition,
  StoryRange,
  StorySource,
} from '../../platform/players/story-source.ts';

type Row = Omit<StoryEntry<'event'>, 'properties'> & { at_us: number; properties: string };

/**
 * The number of events that one page reads to find the events of a session or a name. Reading them takes some 50 ms.
 */
const MAX_SCANNED = 20_000;
/** `occurred_at` is at most an hour after receipt, and at most 90 days before it. */
const EARLIEST_RECEIPT = sql`interval '1 hour'`;
const LATEST_RECEIPT = sql`interval '90 days'`;

/** The events of a player in the order of receipt. */
export const eventStory: StorySource<'event'> = {
  kind: 'event',
  list: (database, player, range) =>
    range.session === null && range.event_name === null
      ? listEvents(database, player, isBefore(range.before), range.limit)
      : listChosen(database, player, range),
};

/**
 * SQL that is true for events before a position. The separate bound of
 * `received_at` lets PostgreSQL skip the partitions of later months.
 */
const isBefore = ({ at_us, key }: StoryPosition): Sql => {
  const moment = sql`${momentOf(at_us)}::timestamptz`;
  return sql`received_at <= ${moment} AND (received_at, id) < (${moment}, ${key ?? 0}::bigint)`;
};

async function listEvents(
  database: Queryable,
  player: PlayerKey,
  condition: Sql,
  limit: number,
): Promise<StoryPart<'event'>> {
  const rows = await database.query<Row>(sql`
    SELECT id, event_name, session_id, properties::text, client_timestamp, occurred_at,
           ${microseconds(sql`received_at`)} AS at_us
    FROM events
    WHERE ${isOfPlayer(player)} AND ${condition}
    ORDER BY received_at DESC, id DESC
    LIMIT ${limit}`);
  return {
    rows: rows.map(({ at_us, properties, ...event }) => ({
      at_us,
      key: String(event.id),
      entry: { ...event, properties: new JsonText(properties) },
    })),
  };
}

/**
 * Lists the events of a session, or of a name. No index of a player contains either, so a page looks
 * through a fixed number of events, and the next page continues after them.
 */
async function listChosen(
  database: Queryable,
  player: PlayerKey,
  { before, limit, session, event_name }: StoryRange,
): Promise<StoryPart<'event'>> {
  const inTime =
    session === null ? isBefore(before) : sql`${isBefore(before)} AND ${during(session)}`;
  const stop = await database.queryOne<{ at_us: number; id: number }>(sql`
    SELECT ${microseconds(sql`received_at`)} AS at_us, id
    FROM events
    WHERE ${isOfPlayer(player)} AND ${inTime}
    ORDER BY received_at DESC, id DESC
    OFFSET ${MAX_SCANNED - 1}
    LIMIT 1`);
  const since = stop === null ? sql`true` : notBefore(stop);
  const conditions = [
    inTime,
    since,
    ...(session === null ? [] : [sql`session_id = ${session.session_id}`]),
    ...(event_name === null ? [] : [sql`event_name = ${event_name}`]),
  ];
  const condition = joinSql(conditions, ' AND ');
  const found = await listEvents(database, player, condition, limit);
  if (stop === null || found.rows.length === limit) return found;
  return { ...found, stopped_at: { at_us: stop.at_us, key: String(stop.id) } };
}

/** SQL that is true for events that were received when those of a session can be received. */
const during = ({ started_at, last_event_at }: Session): Sql => sql`
  received_at >= ${started_at}::timestamptz - ${EARLIEST_RECEIPT}
  AND received_at < ${last_event_at}::timestamptz + ${LATEST_RECEIPT} + interval '1 second'`;

const notBefore = ({ at_us, id }: { at_us: number; id: number }): Sql => {
  const moment = sql`${momentOf(at_us)}::timestamptz`;
  return sql`received_at >= ${moment} AND (received_at, id) >= (${moment}, ${id}::bigint)`;
};

/** Finds sessions of a player by their ids. */
export async function findSessions(
  database: Queryable,
  player: PlayerKey,
  session_ids: readonly string[],
): Promise<Session[]> {
  return database.query<Session>(sql`
    SELECT session_id, started_at, last_event_at, event_count
    FROM sessions
    WHERE ${isOfPlayer(player)} AND session_id = ANY(${[...session_ids]}::text[])`);
}
