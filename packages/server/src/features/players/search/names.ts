import type { getPlayerNames } from '@overworld/contract/players/player-names';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

type PlayerNames = SuccessOf<typeof getPlayerNames>;

/** Suggestions are made from the properties of this many players: those who were seen last. */
const SAMPLED_PLAYERS = 200;
const MAX_SUGGESTIONS = 10;

/** Properties in which games often keep names, in lower case and without separators. */
const USUAL_PROPERTIES = [
  'displayname',
  'playername',
  'nickname',
  'username',
  'name',
  'nick',
  'handle',
  'gamertag',
  'screenname',
];

interface TextProperty {
  property: string;
  share: number;
  example: string;
  /** True if the number of different texts is more than half the number of texts. */
  is_distinct: boolean;
}

/** Reads which property contains the names of players, and suggests other properties that could. */
export async function readPlayerNames(database: Queryable, tenant: Tenant): Promise<PlayerNames> {
  const game = await database.queryOne<{ player_name_property: string | null }>(
    sql`SELECT player_name_property FROM games WHERE id = ${tenant.game_id}`,
  );
  const indexing = await database.queryOne<{ players_read: number }>(sql`
    SELECT player_count AS players_read FROM player_name_builds
    WHERE game_id = ${tenant.game_id} AND environment = ${tenant.environment} AND NOT is_usable`);
  return {
    player_name_property: game?.player_name_property ?? null,
    suggestions: suggest(await listTextProperties(database, tenant)),
    indexing,
  };
}

/** Finds the names of players, and leaves out players without a name. */
export const findPlayerNames = (
  database: Queryable,
  { game_id, environment }: Tenant,
  player_ids: readonly string[],
) =>
  database.query<{ player_id: string; name: string }>(sql`
    SELECT player_id, name
    FROM (SELECT player_name_property FROM games WHERE id = ${game_id}) AS game
    CROSS JOIN LATERAL (
      SELECT player_id, player_name(properties, player_name_property) AS name
      FROM players
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND player_id = ANY(${[...new Set(player_ids)]}::text[])
      OFFSET 0
    ) AS named
    WHERE name IS NOT NULL`);

/** Suggests the usual properties for names first, and then other properties in which players differ. */
function suggest(properties: readonly TextProperty[]): PlayerNames['suggestions'] {
  const rankOf = ({ property }: TextProperty) => {
    const rank = USUAL_PROPERTIES.indexOf(property.toLowerCase().replaceAll(/[_\-\s]/g, ''));
    return rank === -1 ? USUAL_PROPERTIES.length : rank;
  };
  return properties
    .filter((each) => each.is_distinct || rankOf(each) < USUAL_PROPERTIES.length)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.share - a.share)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ property, share, example }) => ({ property, share, example }));
}

const listTextProperties = (database: Queryable, { game_id, environment }: Tenant) =>
  database.query<TextProperty>(sql`
    WITH newest AS MATERIALIZED (
      SELECT properties FROM players
      WHERE game_id = ${game_id} AND environment = ${environment} AND last_seen_at > '-infinity'
      ORDER BY last_seen_at DESC, player_id DESC
      LIMIT ${SAMPLED_PLAYERS}
    ), texts AS (
      SELECT property, value #>> '{}' AS name
      FROM newest CROSS JOIN jsonb_each(properties) AS member (property, value)
      WHERE jsonb_typeof(value) = 'string' AND length(property) BETWEEN 1 AND 255
    )
    SELECT property, count(*)::float8 / (SELECT count(*) FROM newest) AS share,
           min(name COLLATE "C") AS example, count(DISTINCT name) * 2 > count(*) AS is_distinct
    FROM texts
    WHERE btrim(name) <> '' AND length(name) <= 100
    GROUP BY property
    ORDER BY share DESC, property COLLATE "C"
    LIMIT 200`);
