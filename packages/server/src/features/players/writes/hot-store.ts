import { MAX_PLAYER_PROPERTIES_BYTES, MAX_TAGS } from '@overworld/contract/players/players';
import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { isOfPlayer, nameOfPlayer, PLAYER_KEY } from '../../../platform/players/player-key.ts';
import {
  countChange,
  noteAddedTags,
  notePropertyChanges,
  noteRemovedTag,
  playersBefore,
} from '../game-changes/note-changes.ts';

/** Properties to merge into those of a player. */
export interface MergeRequest {
  player: PlayerKey;
  /** JSON text of an object. */
  properties: string;
  /** True if one of these properties may be the player's name. */
  may_name: boolean;
}

/** A tag to add to a player. */
export interface TagRequest {
  player: PlayerKey;
  tag: string;
}

/**
 * Merges properties into players, and creates the players that are new. No two requests may have the same
 * player.
 * @returns for each request the merged properties as JSON text; null if they would be too large.
 */
export async function mergeProperties(
  queryable: Queryable,
  requests: readonly MergeRequest[],
): Promise<(string | null)[]> {
  const sent = requests.map(({ player, properties }) => ({ ...player, properties }));
  const naming = requests.filter(({ may_name }) => may_name).map(({ player }) => player);
  const before = playersBefore(queryable, rowsAs('asked', sent, PLAYER_KEY));
  const merge = sql`
    INSERT INTO players AS known
      (game_id, environment, player_id, properties, first_seen_at, last_seen_at, counted_at)
    SELECT game_id, environment, player_id, sent.properties::jsonb, moment, moment, moment
    FROM ${rowsAs('sent', sent, { ...PLAYER_KEY, properties: 'long_text' })}
    -- Citus takes no now() here. Without OFFSET, each use would be a moment of its own.
    CROSS JOIN (SELECT clock_timestamp() AS moment OFFSET 0) AS clock
    WHERE octet_length(sent.properties::jsonb::text) <= ${MAX_PLAYER_PROPERTIES_BYTES}
    ORDER BY game_id, environment, player_id
    ON CONFLICT (game_id, environment, player_id) DO UPDATE
    SET properties = known.properties || EXCLUDED.properties,
        change_count = ${countChange(sql`known.properties || EXCLUDED.properties <> known.properties`)},
        counted_at = COALESCE(known.counted_at, EXCLUDED.counted_at)
    WHERE octet_length((known.properties || EXCLUDED.properties)::text)
      <= ${MAX_PLAYER_PROPERTIES_BYTES}
    RETURNING game_id, environment, player_id, properties, change_count`;
  const nameNamed = sql`
    , named AS (
      INSERT INTO player_name_changes
      SELECT game_id, environment, player_id
      FROM merged JOIN ${rowsAs('naming', naming, PLAYER_KEY)}
        USING (game_id, environment, player_id)
    )`;
  const rows = await queryable.query<PlayerKey & { properties: string }>(sql`
    WITH ${before.read} merged AS (${merge}), noted AS (${notePropertyChanges(sql`merged`, before)})
      ${naming.length === 0 ? sql`` : nameNamed}
    SELECT game_id, environment, player_id, properties::text FROM merged`);
  const merged = new Map(rows.map((row) => [nameOfPlayer(row), row.properties]));
  return requests.map(({ player }) => merged.get(nameOfPlayer(player)) ?? null);
}

/**
 * Adds tags to players, and creates the players that are new. No two requests may have the same player.
 * @returns for each request all tags of its player; null if there would be too many.
 */
export async function addTags(
  queryable: Queryable,
  requests: readonly TagRequest[],
): Promise<(string[] | null)[]> {
  const sent = requests.map(({ player, tag }) => ({ ...player, tag }));
  const rows = await queryable.query<PlayerKey & { tags: string[] }>(sql`
    WITH tagged AS (
      INSERT INTO players AS known (game_id, environment, player_id, tags)
      SELECT game_id, environment, player_id, ARRAY[tag]
      FROM ${rowsAs('sent', sent, { ...PLAYER_KEY, tag: 'text' })}
      ORDER BY game_id, environment, player_id
      ON CONFLICT (game_id, environment, player_id) DO UPDATE
      SET tags = CASE WHEN known.tags @> EXCLUDED.tags THEN known.tags
                      ELSE known.tags || EXCLUDED.tags END,
          change_count = ${countChange(sql`NOT known.tags @> EXCLUDED.tags`)},
          counted_at = COALESCE(known.counted_at, EXCLUDED.counted_at)
      WHERE known.tags @> EXCLUDED.tags OR cardinality(known.tags) < ${MAX_TAGS}
      RETURNING game_id, environment, player_id, tags, change_count
    ), noted AS (${noteAddedTags(sql`tagged`)})
    SELECT game_id, environment, player_id, tags FROM tagged`);
  const tags = new Map(rows.map((row) => [nameOfPlayer(row), row.tags]));
  return requests.map(({ player }) => tags.get(nameOfPlayer(player)) ?? null);
}

/** @returns whether the player had the tag. */
export async function removeTag(
  queryable: Queryable,
  player: PlayerKey,
  tag: string,
): Promise<boolean> {
  const count = await queryable.execute(sql`
    WITH untagged AS (
      UPDATE players AS known
      SET tags = array_remove(tags, ${tag}::text), change_count = ${countChange(sql`true`)}
      WHERE ${isOfPlayer(player)} AND ${tag}::text = ANY (tags)
      RETURNING game_id, environment, player_id, change_count
    ), noted AS (${noteRemovedTag(sql`untagged`, tag)})
    SELECT FROM untagged`);
  return count > 0;
}
