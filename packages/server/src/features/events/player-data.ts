import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { withJson } from './event-store.ts';
import { lockIngest } from './inbox/ingest.ts';

/**
 * The events and sessions of players, to export and to erase. Events come first: erasing them stops
 * ingest, so that no new sessions come while the sessions are erased.
 */
export function createEventSources(database: Database): readonly PlayerDataSource[] {
  return [
    {
      name: 'events',
      exportPlayer: (player) => exportEvents(database, player),
      async deletePlayer(tx, player) {
        await deleteFromInbox(tx, player);
        await tx.execute(sql`DELETE FROM events WHERE ${isOfPlayer(player)}`);
      },
    },
    {
      // Requests that PostgreSQL could not read, as they were sent.
      name: 'quarantined_requests',
      async exportPlayer(player) {
        const requests = await listQuarantined(database, player);
        return requests.map(({ received_at, body }) => ({ received_at, body }));
      },
      deletePlayer: deleteFromQuarantine,
    },
    {
      name: 'sessions',
      exportPlayer: (player) =>
        database.query(sql`
          SELECT session_id, started_at, last_event_at, event_count
          FROM sessions
          WHERE ${isOfPlayer(player)}
          ORDER BY sessions.started_at, session_id`),
      async deletePlayer(tx, player) {
        await tx.execute(sql`DELETE FROM sessions WHERE ${isOfPlayer(player)}`);
      },
    },
  ];
}

/**
 * Also exports events in the inbox. One snapshot reads both tables, so that each event is in
 * exactly one of them.
 */
async function exportEvents(database: Database, player: PlayerKey): Promise<JsonText> {
  const { game_id, environment, player_id } = player;
  const rows = await database.query<{ properties: string }>(sql`
    SELECT event_name, session_id, properties::text, client_timestamp, received_at
    FROM (
      SELECT event_name, session_id, properties, client_timestamp, received_at, id
      FROM events
      WHERE ${isOfPlayer(player)}
      UNION ALL
      SELECT event.event_name, event.session_id, COALESCE(event.properties, '{}'),
             event.client_timestamp, received_at, event_inbox.id * 128 + place_in_request - 1
      FROM event_inbox
      CROSS JOIN ROWS FROM (
        json_to_recordset(body::json) AS (event_name text, session_id text, player_id text,
                                          properties jsonb, client_timestamp timestamptz)
      ) WITH ORDINALITY AS event (event_name, session_id, player_id, properties,
                                  client_timestamp, place_in_request)
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND event.player_id = ${player_id} AND place_in_request <= event_count
    ) AS kept
    ORDER BY kept.received_at, id`);
  return new JsonText(writeJson(rows.map(withJson)));
}

/** Takes the player's events out of waiting requests, while no node ingests events. */
async function deleteFromInbox(tx: Queryable, player: PlayerKey): Promise<void> {
  const { game_id, environment, player_id } = player;
  await lockIngest(tx);
  await tx.execute(sql`
    WITH cut AS (
      SELECT id, jsonb_agg(event ORDER BY place_in_request)
                   FILTER (WHERE event ->> 'player_id' IS DISTINCT FROM ${player_id}) AS events,
             count(*) FILTER (WHERE event ->> 'player_id' IS DISTINCT FROM ${player_id}) AS kept
      FROM event_inbox
      CROSS JOIN jsonb_array_elements(body::jsonb) WITH ORDINALITY AS event (event, place_in_request)
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND place_in_request <= event_count
      GROUP BY id
      HAVING bool_or(event ->> 'player_id' = ${player_id})
    )
    UPDATE event_inbox
    SET event_count = kept, body = COALESCE(events, '[]')::text
    FROM cut
    WHERE event_inbox.game_id = ${game_id} AND event_inbox.id = cut.id`);
}

/** This process reads these bodies, because PostgreSQL could not, and an id may have escapes. */
interface QuarantinedRequest {
  inbox_id: number;
  received_at: string;
  body: string;
}

async function listQuarantined(
  queryable: Queryable,
  { game_id, environment, player_id }: PlayerKey,
): Promise<QuarantinedRequest[]> {
  const requests = await queryable.query<QuarantinedRequest>(sql`
    SELECT inbox_id, received_at, body FROM event_quarantine
    WHERE game_id = ${game_id} AND environment = ${environment}
    ORDER BY inbox_id`);
  return requests.filter(({ body }) => namesPlayer(body, player_id));
}

async function deleteFromQuarantine(tx: Queryable, player: PlayerKey): Promise<void> {
  const { game_id } = player;
  const of_player = await listQuarantined(tx, player);
  if (of_player.length === 0) return;
  await tx.execute(sql`
    DELETE FROM event_quarantine
    WHERE game_id = ${game_id}
      AND inbox_id = ANY(${of_player.map(({ inbox_id }) => inbox_id)}::bigint[])`);
}

function namesPlayer(body: string, player_id: string): boolean {
  if (body.includes(JSON.stringify(player_id))) return true;
  try {
    const events = parseJsonText(body) as { player_id?: unknown }[];
    return events.some((event) => event.player_id === player_id);
  } catch {
    return false;
  }
}
