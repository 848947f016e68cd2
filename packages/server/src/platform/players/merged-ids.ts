import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';

/** Makes SQL that is true for a row of `player_merges` if no new player has the id of the ended player. */
export const isGone = (merge: Sql): Sql => sql`
  NOT EXISTS (
    SELECT FROM players AS again
    WHERE again.game_id = ${merge}.game_id AND again.environment = ${merge}.environment
      AND again.player_id = ${merge}.from_player_id
    OFFSET 0)`;

/**
 * Makes SQL that is true for a row of `player_merges` if new events that name the ended player go to the
 * player who stays. A new player of that id gets them only after all earlier events have moved.
 */
export const isFollowed = (merge: Sql): Sql =>
  sql`(${merge}.completed_at IS NULL OR ${isGone(merge)})`;
