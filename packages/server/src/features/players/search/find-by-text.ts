import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { patternOf } from '../../../platform/text-pattern.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/**
 * With more candidates than this, it is faster to go through all players in the order of
 * the list and compare their names and ids.
 */
const MAX_CANDIDATES = 12_000;

/** A text to find in names or ids of players. */
interface SoughtText {
  text: string;
  /** The property that holds names; null if players have no names. */
  player_name_property: string | null;
  /** True if the index contains all players. */
  is_indexed: boolean;
}

export async function prepareText(
  queryable: Queryable,
  { game_id, environment }: Tenant,
  text: string,
): Promise<SoughtText> {
  const game = await queryable.queryOne<Omit<SoughtText, 'text'>>(sql`
    SELECT player_name_property, NOT EXISTS (
      SELECT FROM player_name_builds
      WHERE game_id = ${game_id} AND environment = ${environment} AND NOT is_usable
    ) AS is_indexed
    FROM games WHERE id = ${game_id}`);
  return { text, player_name_property: null, is_indexed: false, ...game };
}

/**
 * Tells whether a text has fewer than three characters. The index can find such a text only at the
 * beginning of a name or an id.
 */
const isShort = (text: string): boolean => [...text].length < 3;

/** SQL that is true for players who match the text. */
export function matchesText({ text, player_name_property }: SoughtText): Sql {
  const pattern = (isShort(text) ? '^' : '') + patternOf(text);
  return sql`(player_id COLLATE "C" ~ ${pattern}
    OR player_name(properties, ${player_name_property}::text) COLLATE "C" ~ ${pattern})`;
}

/** Players who may match. */
interface Candidates {
  count: number;
  /** The ids of these players as the text of a PostgreSQL array, which this process does not parse. */
  player_ids: string;
}

/**
 * Lists the players that the index finds, and the players whose changes are not in the index yet.
 * @returns null when there are too many of these players.
 */
export async function listCandidates(
  queryable: Queryable,
  { game_id, environment }: Tenant,
  { text }: SoughtText,
): Promise<Candidates | null> {
  const sought = isShort(text)
    ? sql`E'\\x01' || fold_text(${text}::text)`
    : sql`fold_text(${text}::text)`;
  const of_tenant = sql`game_id = ${game_id} AND environment = ${environment}`;
  const candidates = await queryable.queryOne<Candidates>(sql`
    SELECT count(*) AS count, coalesce(array_agg(player_id), '{}')::text AS player_ids
    FROM (
      (SELECT player_id FROM player_names
       WHERE ${of_tenant}
         AND search_pieces(game_id, environment, ARRAY[
               left(E'\\x01' || fold_text(player_id), 2), E'\\x01' || fold_text(player_id),
               left(E'\\x01' || fold_text(name), 2), E'\\x01' || fold_text(name)])
           @> search_pieces(${game_id}, ${environment}, ARRAY[${sought}])
       LIMIT ${MAX_CANDIDATES + 1})
      UNION ALL
      (SELECT player_id FROM player_name_changes WHERE ${of_tenant} LIMIT ${MAX_CANDIDATES + 1})
    ) AS found`);
  return candidates!.count > MAX_CANDIDATES ? null : candidates;
}
