import {
  FIRST_SESSION_PROPERTIES,
  MAX_FIRST_SESSION_TEXT,
  SESSION_START,
} from '@overworld/contract/players/first-session';
import { MAX_PLAYER_PROPERTIES_BYTES } from '@overworld/contract/players/players';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A player who was first seen longer before a session may have played an older version first. */
const FIRST_VERSION_DAYS = 1;

/**
 * A step of ingest: makes players and their times, and gives them the properties of their first
 * session. That costs no write of its own, because a session changes the row of its player anyway.
 * Properties that a player has are kept, and are not written again.
 */
export const storePlayers = (tx: Queryable): Promise<number> =>
  tx.execute(sql`
    WITH seen AS (
      SELECT game_id, environment, player_id, min(received_at) AS first, max(received_at) AS last
      FROM ingested_events
      WHERE player_id IS NOT NULL
      GROUP BY 1, 2, 3
    ), started AS (
      SELECT game_id, environment, player_id,
             jsonb_object_agg(name, value ORDER BY id DESC) AS properties
      FROM ingested_events
      CROSS JOIN LATERAL (
        SELECT name, properties -> sent_as AS value
        FROM unnest(${Object.keys(FIRST_SESSION_PROPERTIES)}::text[],
                    ${Object.values(FIRST_SESSION_PROPERTIES)}::text[]) AS named (name, sent_as)
      ) AS sent
      WHERE event_name = ${SESSION_START} AND player_id IS NOT NULL
        AND jsonb_typeof(value) = 'string'
        AND length(value #>> '{}') BETWEEN 1 AND ${MAX_FIRST_SESSION_TEXT}::integer
      GROUP BY 1, 2, 3
    )
    INSERT INTO players AS known
      (game_id, environment, player_id, first_seen_at, last_seen_at, properties)
    SELECT game_id, environment, player_id, first, last, COALESCE(properties, '{}')
    FROM seen
    LEFT JOIN started USING (game_id, environment, player_id)
    ORDER BY 1, 2, 3
    ON CONFLICT (game_id, environment, player_id) DO UPDATE
    SET first_seen_at = LEAST(known.first_seen_at, EXCLUDED.first_seen_at),
        last_seen_at = GREATEST(known.last_seen_at, EXCLUDED.last_seen_at),
        properties = (
          SELECT CASE
            WHEN known.properties ?& ARRAY(SELECT jsonb_object_keys(sent)) THEN known.properties
            WHEN octet_length((sent || known.properties)::text) > ${MAX_PLAYER_PROPERTIES_BYTES}
              THEN known.properties
            ELSE sent || known.properties
          END
          FROM (
            SELECT CASE
              WHEN known.first_seen_at
                   < EXCLUDED.first_seen_at - ${FIRST_VERSION_DAYS}::integer * interval '1 day'
                THEN EXCLUDED.properties - 'first_version'
              ELSE EXCLUDED.properties
            END AS sent
          ) AS fitting
        )
    WHERE known.last_seen_at < EXCLUDED.last_seen_at
      OR known.first_seen_at > EXCLUDED.first_seen_at
      OR NOT known.properties ?& ARRAY(SELECT jsonb_object_keys(EXCLUDED.properties))`);
