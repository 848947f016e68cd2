import { MAX_LISTED_MERGES } from '@overworld/contract/players/merges';
import type { MergeChanges, PlayerMerge } from '@overworld/contract/players/merges';
import { MAX_PLAYER_PROPERTIES_BYTES, MAX_TAGS } from '@overworld/contract/players/players';
import type { Queryable } from '../../../platform/database/database.ts';
import { joinSql, names, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { conflict } from '../../../platform/errors.ts';
import { isOfPlayer, isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';

/** A merge with its changes. */
export type StoredMerge = PlayerMerge & { changes: MergeChanges };

const mergeColumns = sql`player_id, from_player_id, merged_at, event_count, moved_event_count,
  CASE WHEN completed_at IS NULL THEN 'moving_events' ELSE 'complete' END AS state`;

/** Lists the newest merges into a player. */
export const listMerges = (queryable: Queryable, player: PlayerKey): Promise<PlayerMerge[]> =>
  queryable.query<PlayerMerge>(sql`
    SELECT ${mergeColumns} FROM player_merges
    WHERE ${isOfPlayer(player)}
    ORDER BY player_merges.merged_at DESC, from_player_id
    LIMIT ${MAX_LISTED_MERGES}`);

/** Finds the merge of `from` into `player`; null if there is none. */
export const findMerge = (
  queryable: Queryable,
  player: PlayerKey,
  from: PlayerKey,
): Promise<StoredMerge | null> =>
  queryable.queryOne<StoredMerge>(sql`
    SELECT ${mergeColumns}, changes FROM player_merges
    WHERE ${isOfPlayer(player)} AND from_player_id = ${from.player_id}`);

/**
 * Refuses a merge of two players while an earlier merge still moves events from one of them to a third
 * player. Otherwise some events would end at a player for whom reports do not count them.
 * @throws ApiError 409 in this case.
 */
export async function requireMovedFrom(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
): Promise<void> {
  const moving = await tx.execute(sql`
    SELECT FROM player_merges
    WHERE ${isOfTenant(player)} AND completed_at IS NULL
      AND ((from_player_id = ${from.player_id} AND player_id <> ${player.player_id})
        OR (from_player_id = ${player.player_id} AND player_id <> ${from.player_id}))`);
  if (moving > 0) throw eventsMove();
}

export const eventsMove = () =>
  conflict('Events of a merge are still moving: try again when they have all moved to the player');

/** Counts the events in the sessions of a player, including events that were deleted for their age. */
export async function countEvents(tx: Queryable, player: PlayerKey): Promise<number> {
  const row = await tx.queryOne<{ event_count: number }>(sql`
    SELECT COALESCE(sum(event_count), 0)::bigint AS event_count FROM sessions
    WHERE ${isOfPlayer(player)}`);
  return row!.event_count;
}

/**
 * Stores a merge of `from` into `player`. The events of players who were once merged into `from` then
 * also belong to `player`. `player` itself may have been merged into another player once, and made again
 * since. From now on, events that name `player` belong to `player` again.
 */
export async function storeMerge(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
  event_count: number,
  changes: MergeChanges,
): Promise<StoredMerge> {
  const { game_id, environment, player_id } = player;
  await tx.execute(sql`
    DELETE FROM player_merges
    WHERE game_id = ${game_id} AND environment = ${environment} AND from_player_id = ${player_id}`);
  await tx.execute(sql`
    UPDATE player_merges SET player_id = ${player_id} WHERE ${isOfPlayer(from)}`);
  const events = await tx.queryOne(sql`SELECT FROM events WHERE ${isOfPlayer(from)} LIMIT 1`);
  const stored = await tx.queryOne<StoredMerge>(sql`
    INSERT INTO player_merges AS known
      (game_id, environment, from_player_id, player_id, event_count, changes, completed_at)
    VALUES (${game_id}, ${environment}, ${from.player_id}, ${player_id}, ${event_count},
            ${JSON.stringify(changes)}, ${events === null ? sql`now()` : sql`NULL`})
    ON CONFLICT (game_id, environment, from_player_id) DO UPDATE
    SET player_id = EXCLUDED.player_id, event_count = EXCLUDED.event_count, moved_event_count = 0,
        changes = EXCLUDED.changes, completed_at = EXCLUDED.completed_at,
        merged_at = EXCLUDED.merged_at
    RETURNING ${mergeColumns}, changes`);
  return stored!;
}

/** A row of the table of players, with the columns that a merge needs. */
interface MergedRow {
  tags: string[];
  properties: string[];
  tag_count: number;
  properties_bytes: number;
}

/**
 * The columns of the table of players after a merge: `known` is the row of the player who stays, and `ended`
 * that of the other one. A column that is missing here keeps the value of `known`.
 */
export const JOINED_COLUMNS: Readonly<Record<string, Sql>> = {
  properties: sql`ended.properties || known.properties`,
  tags: sql`known.tags || ARRAY(
    SELECT tag FROM unnest(ended.tags) WITH ORDINALITY AS of_ended (tag, place)
    WHERE tag <> ALL (known.tags) ORDER BY place)`,
  first_seen_at: sql`LEAST(known.first_seen_at, ended.first_seen_at)`,
  last_seen_at: sql`GREATEST(known.last_seen_at, ended.last_seen_at)`,
  counted_at: sql`COALESCE(known.counted_at, ended.counted_at)`,
};

const joined = Object.entries(JOINED_COLUMNS).map(([name, value]) => {
  const column = names([name]);
  return { select: sql`${value} AS ${column}`, update: sql`${column} = joined.${column}` };
});
const selectJoined = joinSql(
  joined.map(({ select }) => select),
  ', ',
);
const updateJoined = joinSql(
  joined.map(({ update }) => update),
  ', ',
);

/**
 * Waits for transactions that have locked the player `from`, deletes this player, and adds the tags and
 * properties of the deleted row to the row of `player`.
 * @returns the tags and the names of the properties that `player` gains; null if one of the players does
 * not exist.
 * @throws ApiError 409 when `player` would have too many tags or too large properties.
 */
export async function mergeRows(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
): Promise<Pick<MergeChanges, 'tags' | 'properties'> | null> {
  // The row of `player` must not change before the joined row is written.
  await tx.execute(sql`
    SELECT FROM players
    WHERE ${isOfTenant(player)} AND player_id = ANY(${[player.player_id, from.player_id]}::text[])
    ORDER BY game_id, environment, player_id
    FOR NO KEY UPDATE`);
  const merged = await tx.queryOne<MergedRow>(sql`
    WITH ended AS (
      DELETE FROM players WHERE ${isOfPlayer(from)} RETURNING *
    ), joined AS MATERIALIZED (
      SELECT ${selectJoined},
             cardinality(known.tags) AS own_tags,
             ARRAY(SELECT name FROM jsonb_object_keys(ended.properties) AS name
                   WHERE NOT known.properties ? name ORDER BY name COLLATE "C") AS gained_properties
      FROM ended
      CROSS JOIN (SELECT * FROM players WHERE ${isOfPlayer(player)}) AS known
    ), merged AS (
      UPDATE players AS known
      SET ${updateJoined}
      FROM joined
      WHERE ${isOfPlayer(player)}
      RETURNING joined.tags, own_tags, gained_properties, joined.properties
    )
    SELECT tags[own_tags + 1:] AS tags, gained_properties AS properties,
           cardinality(tags) AS tag_count, octet_length(properties::text) AS properties_bytes
    FROM merged`);
  if (merged === null) return null;
  const { tags, properties, tag_count, properties_bytes } = merged;
  if (tag_count > MAX_TAGS) {
    throw conflict(
      `Together the players have ${tag_count} tags, and a player can have at most ${MAX_TAGS}: remove some first`,
    );
  }
  if (properties_bytes > MAX_PLAYER_PROPERTIES_BYTES) {
    throw conflict(
      `Together the properties of the players have ${properties_bytes} bytes, and those of a player can have at most ${MAX_PLAYER_PROPERTIES_BYTES}: remove some first`,
    );
  }
  return { tags, properties };
}
