import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { INGEST_LOCK, joinIngest, LATE_HOURS, lockIngest } from '../../../platform/ingest-lock.ts';
import { followMerges } from './merged-players.ts';
import { storePlayers } from './stored-players.ts';

/**
 * A part of ingest, run in the transaction that takes events out of the inbox. Its statements read two
 * temporary tables: `ingested_events` has the columns of `events`, and `ingested_sessions` has the rows of
 * `sessions` that these events have changed. Each step writes rows in the order of their keys, and all nodes
 * run the steps in the same order, so nodes do not deadlock.
 */
export type IngestStep = (tx: Queryable) => Promise<unknown>;

/** A range of ids of inbox rows, which includes both ends. */
export interface IdRange {
  from: number;
  to: number;
}

/** The rows that were taken out of the inbox. */
export interface Claim {
  rows: number;
  /** The highest id among the rows; null when there were none. */
  last_id: number | null;
  /** True if more rows may be waiting. */
  is_full: boolean;
  /** True if a row was received long ago. Its events may be of a day that is sealed. */
  is_late: boolean;
}

/**
 * The maximum number of inbox rows that one transaction takes,
 * and the maximum numbers of events and bytes in these rows.
 */
const MAX_ROWS = 1_000;
const MAX_EVENTS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Keeps the events of a game in the inbox until the game's row in `event_holds` is deleted, so that the
 * rollups of the game can be rebuilt meanwhile. After the commit, no node ingests events of the game.
 * @returns false if the game has such a row already.
 */
export async function pauseIngest(tx: Queryable, game_id: string): Promise<boolean> {
  await lockIngest(tx);
  const added = await tx.execute(sql`
    INSERT INTO event_holds (game_id) VALUES (${game_id}) ON CONFLICT (game_id) DO NOTHING`);
  return added > 0;
}

/**
 * Does the same as `joinIngest`, without waiting. @returns false if another transaction holds the lock of
 * `lockIngest`, or waits for it.
 */
async function tryJoinIngest(tx: Queryable): Promise<boolean> {
  const row = await tx.queryOne<{ joined: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock_shared(${INGEST_LOCK}) AS joined`,
  );
  return row!.joined;
}

/**
 * Takes the lock of `joinIngest`, and makes the temporary tables. The tables last as long as the connection,
 * and their rows as long as the transaction.
 * @param waits True to wait while another transaction holds the lock of `lockIngest`.
 * @returns false if another transaction holds that lock and `waits` is false.
 */
export async function beginIngest(tx: Queryable, waits: boolean): Promise<boolean> {
  if (waits) await joinIngest(tx);
  else if (!(await tryJoinIngest(tx))) return false;
  await tx.execute(sql`
    CREATE TEMPORARY TABLE IF NOT EXISTS ingested_events (LIKE events) ON COMMIT DELETE ROWS`);
  await tx.execute(sql`
    CREATE TEMPORARY TABLE IF NOT EXISTS ingested_sessions (LIKE sessions) ON COMMIT DELETE ROWS`);
  return true;
}

/**
 * Takes the oldest rows of this range out of the inbox, except those that another node is processing, and
 * puts their events into `ingested_events`.
 * @throws the error of PostgreSQL when it cannot read one of the rows.
 */
export async function claimRows(tx: Queryable, ids: IdRange): Promise<Claim> {
  const row = await tx.queryOne<Claim>(sql`
    WITH candidates AS MATERIALIZED (
      SELECT id, event_count, octet_length(body) AS bytes
      FROM event_inbox
      WHERE id BETWEEN ${ids.from} AND ${ids.to}
        AND game_id <> ALL (ARRAY(SELECT event_holds.game_id FROM event_holds))
      ORDER BY id
      LIMIT ${MAX_ROWS}
      FOR UPDATE SKIP LOCKED
    ), measured AS (
      SELECT id, sum(event_count) OVER earlier - event_count AS earlier_events,
             sum(bytes) OVER earlier - bytes AS earlier_bytes
      FROM candidates
      WINDOW earlier AS (ORDER BY id)
    ), claimed AS (
      DELETE FROM event_inbox
      WHERE id = ANY (ARRAY(SELECT id FROM measured
                            WHERE earlier_events < ${MAX_EVENTS} AND earlier_bytes < ${MAX_BYTES}))
      RETURNING *
    ), ingested AS (
      INSERT INTO ingested_events
        (id, received_at, occurred_at, client_timestamp, environment, game_id, key_id, event_name,
         session_id, player_id, properties)
      SELECT claimed.id * 128 + place_in_request - 1, received_at,
             CASE WHEN event.client_timestamp BETWEEN received_at - interval '90 days'
                                                  AND received_at + interval '1 hour'
                  THEN event.client_timestamp ELSE received_at END,
             event.client_timestamp, environment, game_id, key_id, event.event_name,
             event.session_id, event.player_id, COALESCE(event.properties, '{}')
      FROM claimed
      CROSS JOIN ROWS FROM (
        json_to_recordset(body::json) AS (event_name text, session_id text, player_id text,
                                          properties jsonb, client_timestamp timestamptz)
      ) WITH ORDINALITY AS event (event_name, session_id, player_id, properties,
                                  client_timestamp, place_in_request)
      WHERE place_in_request <= event_count
    )
    SELECT count(*) AS rows, max(id) AS last_id,
           COALESCE(min(received_at) < now() - ${LATE_HOURS}::integer * interval '1 hour', false)
             AS is_late,
           count(*) = ${MAX_ROWS} OR count(*) < (SELECT count(*) FROM candidates) AS is_full
    FROM claimed`);
  return row!;
}

/** The first steps: they store the events and sessions that further steps read. */
export const STORE_STEPS: readonly IngestStep[] = [
  followMerges,
  (tx) =>
    tx.execute(sql`
      INSERT INTO events
        (id, received_at, occurred_at, client_timestamp, environment, game_id, key_id, event_name,
         session_id, player_id, properties)
      SELECT id, received_at, occurred_at, client_timestamp, environment, game_id, key_id,
             event_name, session_id, player_id, properties
      FROM ingested_events`),
  (tx) =>
    tx.execute(sql`
      WITH stored AS (
        INSERT INTO sessions AS session
          (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
        SELECT game_id, environment, COALESCE(player_id, ''), session_id,
               min(occurred_at), max(occurred_at), count(*)
        FROM ingested_events
        GROUP BY 1, 2, 3, 4
        ORDER BY 1, 2, 3, 4
        ON CONFLICT (game_id, environment, player_id, session_id) DO UPDATE
        SET started_at = LEAST(session.started_at, EXCLUDED.started_at),
            last_event_at = GREATEST(session.last_event_at, EXCLUDED.last_event_at),
            event_count = session.event_count + EXCLUDED.event_count,
            previous_started_at = session.started_at,
            previous_last_event_at = session.last_event_at
        RETURNING *
      )
      INSERT INTO ingested_sessions SELECT * FROM stored`),
];

/**
 * The last steps: they count events by API key and store players. Players come at the end, because a request
 * that writes a player waits until this transaction ends.
 */
export const LAST_STEPS: readonly IngestStep[] = [
  (tx) =>
    tx.execute(sql`
      INSERT INTO event_key_usage AS usage (game_id, month, key_id, environment, event_count)
      SELECT game_id, date_trunc('month', received_at AT TIME ZONE 'UTC')::date, key_id,
             environment, count(*)
      FROM ingested_events
      GROUP BY 1, 2, 3, 4
      ORDER BY 1, 2, 3
      ON CONFLICT (game_id, month, key_id) DO UPDATE
      SET event_count = usage.event_count + EXCLUDED.event_count`),
  storePlayers,
];

/**
 * Lists the ids of the oldest rows, oldest first.
 * @param count The maximum number of ids; by default as many rows as one transaction takes.
 */
export async function listWaitingIds(database: Queryable, count = MAX_ROWS): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    sql`SELECT id FROM event_inbox ORDER BY id LIMIT ${count}`,
  );
  return rows.map(({ id }) => id);
}

/** Moves a row that PostgreSQL cannot read into quarantine, with the reason. */
export async function quarantine(database: Queryable, id: number, reason: string): Promise<void> {
  await database.execute(sql`
    WITH refused AS (
      DELETE FROM event_inbox
      WHERE id = ANY (ARRAY(SELECT id FROM event_inbox WHERE id = ${id} FOR UPDATE SKIP LOCKED))
      RETURNING *
    )
    INSERT INTO event_quarantine
      (game_id, inbox_id, environment, key_id, received_at, event_count, body, reason,
       quarantined_at)
    SELECT game_id, id, environment, key_id, received_at, event_count, body, ${reason}, now()
    FROM refused`);
}
