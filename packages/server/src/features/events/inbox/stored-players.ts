import {
  FIRST_SESSION_PROPERTIES,
  MAX_FIRST_SESSION_TEXT,
  SESSION_START,
} from '@overworld/contract/players/first-session';
import { MAX_PLAYER_PROPERTIES_BYTES } from '@overworld/contract/players/players';
import type { Queryable } from '../../../platform/database/database.ts';
import { joinSql, literal, sql } from '../../../platform/database/sql.ts';
import { propertyText } from '../../../platform/property-text.ts';

/**
 * If a player was first seen more than this number of days before a session, the session does not set
 * `first_version`, because the player may have begun with an older version of the game.
 */
const FIRST_VERSION_DAYS = 1;

/**
 * The arguments of `jsonb_build_object`: the name of each player property, followed by its value in the first
 * event of a session.
 */
const PAIRS = joinSql(
  Object.entries(FIRST_SESSION_PROPERTIES).map(
    ([name, sent_as]) =>
      sql`${name}::text,
        NULLIF(left(${propertyText(sent_as, sql`start.properties`)}, ${MAX_FIRST_SESSION_TEXT}::integer), '')`,
  ),
  ', ',
);

/** SQL: true if a player was first seen long before these events. */
const IS_OLD = sql`EXCLUDED.first_seen_at - known.first_seen_at
  > ${literal(FIRST_VERSION_DAYS)} * interval '1 day'`;

/** SQL: true if a session has a property that its player lacks. */
const LACKS_SOME = sql`(${joinSql(
  Object.keys(FIRST_SESSION_PROPERTIES).map((name) => {
    const lacks = sql`EXCLUDED.properties ? ${literal(name)} AND NOT known.properties ? ${literal(name)}`;
    return name === 'first_version' ? sql`(${lacks} AND NOT ${IS_OLD})` : sql`(${lacks})`;
  }),
  ' OR ',
)})`;

/**
 * A step of ingest. Makes players, who do not count against the game's limit of players until another write
 * names them. Updates the times at which players were seen, and gives players the
 * properties of their first session. The properties need no write of their own, because a session changes the
 * row of its player anyway. Properties that a player already has stay as they are. Of several sessions that
 * are ingested together, the first one counts.
 */
export const storePlayers = (tx: Queryable): Promise<number> =>
  tx.execute(sql`
    WITH seen AS (
      SELECT game_id, environment, player_id, min(received_at) AS first, max(received_at) AS last,
             min(id) FILTER (WHERE event_name = ${SESSION_START}) AS start_id
      FROM ingested_events
      WHERE player_id IS NOT NULL
      GROUP BY 1, 2, 3
    )
    INSERT INTO players AS known
      (game_id, environment, player_id, first_seen_at, last_seen_at, counted_at, properties)
    SELECT seen.game_id, seen.environment, seen.player_id, first, last, NULL::timestamptz,
           CASE WHEN start_id IS NULL THEN '{}' ELSE jsonb_strip_nulls(jsonb_build_object(${PAIRS})) END
    FROM seen
    LEFT JOIN ingested_events AS start ON start.id = start_id
    ORDER BY 1, 2, 3
    ON CONFLICT (game_id, environment, player_id) DO UPDATE
    SET first_seen_at = LEAST(known.first_seen_at, EXCLUDED.first_seen_at),
        last_seen_at = GREATEST(known.last_seen_at, EXCLUDED.last_seen_at),
        properties = CASE
          WHEN ${LACKS_SOME} AND octet_length((EXCLUDED.properties || known.properties)::text)
                                 <= ${literal(MAX_PLAYER_PROPERTIES_BYTES)}
            THEN CASE WHEN ${IS_OLD} THEN EXCLUDED.properties - 'first_version'
                      ELSE EXCLUDED.properties END || known.properties
          ELSE known.properties
        END
    WHERE known.last_seen_at < EXCLUDED.last_seen_at
      OR known.first_seen_at > EXCLUDED.first_seen_at
      OR ${LACKS_SOME}`);
