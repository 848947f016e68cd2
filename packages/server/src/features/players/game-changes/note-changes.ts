import { MAX_GAME_CHANGES, MAX_NAMED_PROPERTIES } from '@overworld/contract/players/story';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/**
 * If the properties of a player have more bytes than this, a change of them is noted without the names of the
 * changed properties. Finding a thousand changed names would take a millisecond.
 */
const MAX_COMPARED_BYTES = 8_192;
/**
 * A change stores the whole name and value of a property if they have at most this many bytes. Of longer ones
 * it stores only the first characters.
 */
const MAX_TEXT_BYTES = 80;
const KEPT_CHARACTERS = 24;

const shorten = (text: Sql): Sql => sql`
  CASE WHEN octet_length(${text}) <= ${MAX_TEXT_BYTES}::integer THEN ${text}
       ELSE left(${text}, ${KEPT_CHARACTERS}::integer) || '…' END`;

/**
 * SQL for the new value of `change_count`: twice the number of changes of the player, plus one if this write
 * has changed the player. So a later part of the statement can see from the new row whether the write was a
 * change.
 */
export const countChange = (has_changed: Sql): Sql => sql`
  CASE WHEN ${has_changed} THEN (known.change_count | 1) + 2 ELSE known.change_count & -2 END`;

const HAS_CHANGED = sql`changed.change_count & 1 = 1`;

/**
 * SQL that joins a row of `changed` with the earlier state of the player. A plain read of `players` gives the
 * earlier state, because a statement does not see its own changes. A player whom this statement has made has
 * no earlier state.
 */
const fromSnapshot = sql`
  CROSS JOIN LATERAL (
    SELECT properties AS properties_before FROM players
    WHERE players.game_id = changed.game_id AND players.environment = changed.environment
      AND players.player_id = changed.player_id
    OFFSET 0
  ) AS before`;

/**
 * A common table expression with the players as they are before the statement changes them. A cluster needs
 * it: it runs a statement in steps, and each step sees the changes of earlier steps. The lock prevents
 * changes by other statements between the steps. One PostgreSQL would pay 5 to 9 % of the statement for it.
 */
const lockedBefore = (sent: Sql): Sql => sql`
  players_before AS MATERIALIZED (
    SELECT sent.game_id, sent.environment, sent.player_id, properties_before
    FROM (SELECT * FROM ${sent} ORDER BY game_id, environment, player_id) AS sent
    CROSS JOIN LATERAL (
      SELECT properties AS properties_before FROM players
      WHERE players.game_id = sent.game_id AND players.environment = sent.environment
        AND players.player_id = sent.player_id
      OFFSET 0
      FOR NO KEY UPDATE
    ) AS before
  ), `;

/** The parts of a statement that give the earlier state of a player to `notePropertyChanges`. */
interface Before {
  /** Common table expressions at the beginning of the statement, each with a comma. */
  read: Sql;
  /** Joins a row of `changed` with `properties_before`. */
  join: Sql;
}

/**
 * Returns the parts by which a statement knows the earlier states of players.
 * @param sent A table with the keys of the players.
 */
export const playersBefore = (queryable: Queryable, sent: Sql): Before =>
  queryable.formFor({
    plain: { read: sql``, join: fromSnapshot },
    cluster: {
      read: lockedBefore(sent),
      join: sql`JOIN players_before USING (game_id, environment, player_id)`,
    },
  });

const insertChanges = (columns: Sql, changes: Sql): Sql => sql`
  INSERT INTO player_changes
    (game_id, environment, player_id, place, number, changed_at, ${columns})
  SELECT game_id, environment, player_id, change_count / 2 % ${MAX_GAME_CHANGES}::integer,
    change_count / 2, clock_timestamp(), ${columns}
  FROM (${changes}) AS noted
  ON CONFLICT (game_id, environment, player_id, place) DO UPDATE
  SET number = excluded.number, changed_at = excluded.changed_at, properties = excluded.properties,
    added_tag = excluded.added_tag, removed_tag = excluded.removed_tag`;

/**
 * SQL that stores which properties have changed. A change shows only a limited number of properties. If more
 * have changed, one extra property is stored, as a sign that there are more. If the properties are too large
 * to compare, none are stored.
 * @param merged A common table expression with the key, `properties` and `change_count` of written players.
 * @param before The parts of the same statement that `playersBefore` has made.
 */
export const notePropertyChanges = (merged: Sql, before: Before): Sql =>
  insertChanges(
    sql`properties`,
    sql`
    SELECT changed.game_id, changed.environment, changed.player_id, change_count,
      CASE WHEN pg_column_size(changed.properties) <= ${MAX_COMPARED_BYTES}::integer THEN (
        SELECT json_agg(json_build_array(${shorten(sql`name`)}, ${shorten(sql`value_before`)},
          ${shorten(sql`value`)}))
        FROM (
          SELECT name, value::text AS value, (properties_before -> name)::text AS value_before
          FROM jsonb_each(changed.properties) AS now (name, value)
          WHERE value IS DISTINCT FROM properties_before -> name
          LIMIT ${MAX_NAMED_PROPERTIES}::integer + 1
        ) AS different) END AS properties
    FROM ${merged} AS changed
    ${before.join}
    WHERE ${HAS_CHANGED}`,
  );

/**
 * SQL that stores which tags were added.
 * @param tagged Like `merged`, but with `tags`. An added tag is the last of the tags.
 */
export const noteAddedTags = (tagged: Sql): Sql =>
  insertChanges(
    sql`added_tag`,
    sql`
    SELECT changed.*, changed.tags[cardinality(changed.tags)] AS added_tag
    FROM ${tagged} AS changed
    WHERE ${HAS_CHANGED}`,
  );

/**
 * SQL that stores that a tag was removed.
 * @param untagged The keys and `change_count` of players who have lost the tag.
 */
export const noteRemovedTag = (untagged: Sql, tag: string): Sql =>
  insertChanges(sql`removed_tag`, sql`SELECT *, ${tag}::text AS removed_tag FROM ${untagged}`);
