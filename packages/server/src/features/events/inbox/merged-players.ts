import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isFollowed } from '../../../platform/players/merged-ids.ts';

/**
 * A step of ingest. Moves new events of a merged player to the player that it was merged into, even if a
 * device sends these events long after the merge. If a new player was made since with the id of the merged
 * player, new events go to the new player, but only after all earlier events have moved. In games without
 * merges, no event is read twice.
 */
export const followMerges = (tx: Queryable): Promise<number> =>
  tx.execute(sql`
    WITH merging AS MATERIALIZED (
      SELECT game_id, environment
      FROM (SELECT DISTINCT game_id, environment FROM ingested_events) AS tenant
      WHERE EXISTS (
        SELECT FROM player_merges AS merge
        WHERE merge.game_id = tenant.game_id AND merge.environment = tenant.environment
        OFFSET 0
      )
    ), followed AS MATERIALIZED (
      SELECT named.*, into_player_id
      FROM (
        SELECT DISTINCT game_id, environment, player_id
        FROM ingested_events
        JOIN merging USING (game_id, environment)
        WHERE player_id IS NOT NULL
      ) AS named
      CROSS JOIN LATERAL (
        SELECT merge.player_id AS into_player_id
        FROM player_merges AS merge
        WHERE merge.game_id = named.game_id AND merge.environment = named.environment
          AND from_player_id = named.player_id AND ${isFollowed(sql`merge`)}
        OFFSET 0
      ) AS merge
    )
    UPDATE ingested_events AS event
    SET player_id = into_player_id
    FROM followed
    WHERE event.game_id = followed.game_id AND event.environment = followed.environment
      AND event.player_id = followed.player_id`);
