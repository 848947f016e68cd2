import { MAX_MERGED_SESSIONS } from '@overworld/contract/players/merges';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import { lockIngest } from '../../platform/ingest-lock.ts';
import { exportRows, readPages } from '../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { withJson } from './event-store.ts';
import { problemSource } from './problems/player-data.ts';

/**
 * The events and sessions of players. The source of events is first because it stops ingest before it erases
 * events. So no new sessions are stored while sessions are erased.
 */
export const EVENT_SOURCES: readonly PlayerDataSource[] = [
  {
    name: 'events',
    // merged-events.ts moves the events after the commit.
    tables: [{ table: 'events', merge: 'by_hand' }],
    exportPlayer: exportEvents,
    erasePlayer: deleteFromInbox,
  },
  {
    // The requests that PostgreSQL could not read. They are exported in the form in which they were sent, and
    // a merge does not change them.
    name: 'quarantined_requests',
    tables: [],
    async exportPlayer(database, player) {
      const requests = await listQuarantined(database, player);
      return requests.map(({ received_at, body }) => ({ received_at, body }));
    },
    erasePlayer: deleteFromQuarantine,
  },
  {
    name: 'sessions',
    tables: [
      {
        table: 'sessions',
        merge: {
          key: ['session_id'],
          columns: {
            started_at: 'earliest',
            last_event_at: 'latest',
            event_count: 'sum',
            previous_started_at: 'reset',
            previous_last_event_at: 'reset',
          },
          run: async (tx, join) => ({ sessions: await tx.execute(join) }),
        },
        most_merged: { rows: MAX_MERGED_SESSIONS, things: 'sessions' },
      },
    ],
    exportPlayer: exportRows({
      columns: sql`session_id, started_at, last_event_at, event_count`,
      from: sql`sessions`,
      order: ['started_at', 'session_id'],
    }),
  },
  problemSource,
];

interface ExportedEvent {
  id: number;
  properties: string;
}

/** The number of events in a page. Even if each event has 32 KB of properties, a page has at most 8 MB. */
const PAGE_SIZE = 250;

/**
 * Yields the events of a player page by page: first the stored events in the order of receipt, then the
 * events in the inbox. The inbox is read first. Some of its events may be stored before the stored events are
 * read. These events keep their ids, and are left out of the pages with stored events, so that no event comes
 * twice.
 */
async function* exportEvents(
  database: Database,
  player: PlayerKey,
): AsyncGenerator<readonly unknown[]> {
  const waiting = await listWaiting(database, player);
  const waiting_ids = new Set(waiting.map(({ id }) => id));
  const stored = readPages<StoredEvent>(PAGE_SIZE, (last) => listStored(database, player, last));
  for await (const events of stored) {
    yield events.filter(({ id }) => !waiting_ids.has(id)).map(toExported);
  }
  yield waiting.map(toExported);
}

type StoredEvent = ExportedEvent & { received: string };

const listStored = (
  database: Database,
  player: PlayerKey,
  last: StoredEvent | null,
): Promise<StoredEvent[]> =>
  database.query(sql`
    SELECT id, event_name, session_id, properties::text, client_timestamp, received_at,
           received_at::text AS received
    FROM events
    WHERE ${isOfPlayer(player)}
      AND (received_at, id) > (${last?.received ?? '-infinity'}::timestamptz, ${last?.id ?? 0}::bigint)
    ORDER BY events.received_at, events.id
    LIMIT ${PAGE_SIZE}`);

const listWaiting = (
  database: Database,
  { game_id, environment, player_id }: PlayerKey,
): Promise<ExportedEvent[]> =>
  database.query(sql`
    SELECT event_inbox.id * 128 + place_in_request - 1 AS id, event.event_name, event.session_id,
           COALESCE(event.properties, '{}')::text AS properties, event.client_timestamp, received_at
    FROM event_inbox
    CROSS JOIN ROWS FROM (
      json_to_recordset(body::json) AS (event_name text, session_id text, player_id text,
                                        properties jsonb, client_timestamp timestamptz)
    ) WITH ORDINALITY AS event (event_name, session_id, player_id, properties,
                                client_timestamp, place_in_request)
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND event.player_id = ${player_id} AND place_in_request <= event_count
    ORDER BY 1`);

/** Removes the columns that are not part of the export. They only serve to sort and match events. */
function toExported(event: ExportedEvent & { received?: string }) {
  const { id: _id, received: _received, ...exported } = event;
  return withJson(exported);
}

/**
 * Stops ingest on all servers until the end of the transaction, and removes the player's events from the
 * requests in the inbox.
 */
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

/**
 * A request that PostgreSQL could not read. This process searches its body for player ids. An id in the body
 * may contain JSON escapes.
 */
interface QuarantinedRequest {
  inbox_id: number;
  received_at: string;
  body: string;
}

/** Lists quarantined requests that name the player, or a player who was merged into this player. */
async function listQuarantined(
  queryable: Queryable,
  player: PlayerKey,
): Promise<QuarantinedRequest[]> {
  const { game_id, environment, player_id } = player;
  const merged = await queryable.query<{ from_player_id: string }>(sql`
    SELECT from_player_id FROM player_merges WHERE ${isOfPlayer(player)}`);
  const names = [player_id, ...merged.map(({ from_player_id }) => from_player_id)];
  const requests = await queryable.query<QuarantinedRequest>(sql`
    SELECT inbox_id, received_at, body FROM event_quarantine
    WHERE game_id = ${game_id} AND environment = ${environment}
    ORDER BY inbox_id`);
  return requests.filter(({ body }) => names.some((name) => namesPlayer(body, name)));
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
