import type { Database, Queryable } from '../../platform/database/database.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import type {
  PlacedEvent,
  Session,
  TimelineEvent,
  TimelinePage,
} from '../../platform/players/player-history.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';

/** An event in the list of all events of a game. */
interface GameEvent extends TimelineEvent {
  id: number;
  player_id: string | null;
  occurred_at: string;
}

type WithText<Event extends { properties: JsonText }> = Omit<Event, 'properties'> & {
  properties: string;
};

/** Marks the properties of a row as JSON text, so `writeJson` writes them unchanged. */
export const withJson = <Row extends { properties: string }>(row: Row) => ({
  ...row,
  properties: new JsonText(row.properties),
});

/** Lists events of a player, beginning with the event that was received last, or after a place. */
export async function listTimeline(
  database: Database,
  player: PlayerKey,
  page: TimelinePage,
): Promise<PlacedEvent[]> {
  const { after } = page;
  const isOlder =
    after === null
      ? sql`true`
      : sql`(received_at, id) < (${after.received}::timestamptz, ${after.id}::bigint)`;
  // Without the inner SELECT, PostgreSQL would write the properties of skipped events as text too, which
  // takes as long as the rest.
  const rows = await database.query<WithText<PlacedEvent>>(sql`
    SELECT id, event_name, session_id, properties::text, client_timestamp, received_at,
           received_at::text AS received
    FROM (
      SELECT * FROM events
      WHERE ${isOfPlayer(player)} AND ${isOlder}
      ORDER BY received_at DESC, id DESC
      LIMIT ${page.limit} OFFSET ${page.offset}
    ) AS page
    ORDER BY page.received_at DESC, id DESC`);
  return rows.map(withJson);
}

/** Lists sessions of a player; the session that began last comes first. */
export async function listSessions(
  database: Database,
  player: PlayerKey,
  limit: number,
): Promise<Session[]> {
  return database.query<Session>(sql`
    SELECT session_id, started_at, last_event_at, event_count
    FROM sessions
    WHERE ${isOfPlayer(player)}
    ORDER BY sessions.started_at DESC, session_id
    LIMIT ${limit}`);
}

/**
 * Lists events of a game, from those received last to those received first. Begins after a position in this
 * order.
 */
export async function listGameEvents(
  database: Queryable,
  game: Tenant,
  filter: { event_name?: string; player_id?: string },
  page: { limit: number; after: { received: string; id: number } | null },
): Promise<(GameEvent & { received: string })[]> {
  const conditions = [
    sql`game_id = ${game.game_id}`,
    sql`environment = ${game.environment}::environment`,
  ];
  const { event_name, player_id } = filter;
  if (event_name !== undefined) conditions.push(sql`event_name = ${event_name}`);
  if (player_id !== undefined) conditions.push(sql`player_id = ${player_id}`);
  if (page.after) {
    const { received, id } = page.after;
    conditions.push(sql`(received_at, id) < (${received}::timestamptz, ${id}::bigint)`);
  }
  const rows = await database.query<WithText<GameEvent> & { received: string }>(sql`
    SELECT id, event_name, session_id, player_id, properties::text, client_timestamp, occurred_at,
           received_at, received_at::text AS received
    FROM events
    WHERE ${joinSql(conditions, ' AND ')}
    ORDER BY events.received_at DESC, id DESC
    LIMIT ${page.limit}`);
  return rows.map(withJson);
}
