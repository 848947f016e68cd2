import { MAX_TAGS } from '@overworld/contract/players/players';
import type { Database } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { TagChange } from '../../../platform/players/tags.ts';

/**
 * Adds a tag to players, or removes a tag from players, in one statement. It skips players who do not exist,
 * whose tags would not change, or who would get more tags than a player may have.
 * @returns the number of players whose tags have changed.
 */
export function changeTagOfPlayers(
  database: Database,
  tenant: Tenant,
  player_ids: readonly string[],
  { tag, action }: TagChange,
): Promise<number> {
  const change =
    action === 'add'
      ? sql`SET tags = tags || ${tag}::text WHERE NOT tags @> ARRAY[${tag}::text]
            AND cardinality(tags) < ${MAX_TAGS}::integer`
      : sql`SET tags = array_remove(tags, ${tag}::text) WHERE tags @> ARRAY[${tag}::text]`;
  return retryDeadlocks(() =>
    database.execute(sql`
      WITH locked AS MATERIALIZED (
        SELECT player_id FROM players
        WHERE ${isOfTenant(tenant)} AND player_id = ANY(${player_ids}::text[])
        ORDER BY player_id
        FOR UPDATE
      )
      UPDATE players ${change}
        AND ${isOfTenant(tenant)} AND player_id = ANY(ARRAY(SELECT locked.player_id FROM locked))`),
  );
}
