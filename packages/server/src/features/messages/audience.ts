import { normalizeTag } from '@overworld/contract/players/tags';
import type { Queryable } from '../../platform/database/database.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { isOfPlayer, isOfTenant } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import type { TraitNeeds, Traits } from '../../platform/players/traits.ts';
import { toSql } from '../../platform/property-conditions.ts';
import type { StoredAudience } from './message.ts';

/** Judges the conditions of segments as remote config does. */
export interface SegmentJudge {
  /** Tells whether the conditions, as `parseExactly` reads them, hold for a player. */
  matches(conditions: StoredAudience, traits: Traits): boolean;
  /** Reads the tags of a player, and the properties and statistics that are needed. */
  getTraits(database: Queryable, player: PlayerKey, needs: TraitNeeds): Promise<Traits>;
}

/** SQL that is true for the players of the environment who meet the conditions now. */
export function isInAudience(tenant: Tenant, audience: StoredAudience): Sql {
  const { has_tags = [], lacks_tags = [], properties = [] } = audience;
  const text = writeExactly(properties);
  return joinSql(
    [
      isOfTenant(tenant),
      ...(has_tags.length === 0 ? [] : [sql`tags @> ${has_tags.map(normalizeTag)}::text[]`]),
      ...(lacks_tags.length === 0
        ? []
        : [sql`NOT tags && ${lacks_tags.map(normalizeTag)}::text[]`]),
      ...toSql({ filter: properties, text, path: [] }),
    ],
    ' AND ',
  );
}

/** Finds when the player was first named; null for a player who does not exist. */
export async function findFirstSeen(
  database: Queryable,
  player: PlayerKey,
): Promise<string | null> {
  const row = await database.queryOne<{ first_seen_at: string }>(
    sql`SELECT first_seen_at FROM players WHERE ${isOfPlayer(player)}`,
  );
  return row?.first_seen_at ?? null;
}
