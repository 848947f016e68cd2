import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { lockPlayersOf } from '../../platform/players/player-lock.ts';
import { keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { postUnlocks } from './unlock-events.ts';

/** A player to whom a batch gives achievements. */
export interface Player extends PlayerKey {
  total_points: number;
}

interface Definition {
  name: string;
  description: string;
  points: number;
}

/**
 * One achievement of one player. All requests of a batch for this achievement and player share this object.
 */
export interface Unlock {
  player: Player;
  achievement_key: string;
  /** Null until the definition is found. */
  definition: Definition | null;
  is_new: boolean;
}

/**
 * Inserts the unlocks that are new, and their players; fills in `definition` and `is_new` of all unlocks.
 * @param is_posted True if webhooks may listen to unlocks, so that messages are needed.
 */
export async function insertUnlocks(
  database: Queryable,
  unlocks: readonly Unlock[],
  is_posted: boolean,
): Promise<void> {
  // The key share locks make deletions wait. A deletion of the achievement then finds the unlock
  // and archives the achievement instead, and a deletion of the player deletes the unlock too.
  const rows = await database.query<Definition & { index: number; is_new: boolean }>(sql`
    WITH asked AS (
      SELECT * FROM unnest(${keyArrays(unlocks.map(({ player }) => player))},
                           ${unlocks.map(({ achievement_key }) => achievement_key)}::text[])
        WITH ORDINALITY AS asked (game_id, environment, player_id, achievement_key, number)
    ), defined AS MATERIALIZED (
      SELECT asked.*, name, description, points, archived
      FROM asked
      CROSS JOIN LATERAL (
        SELECT name, description, points, archived
        FROM achievements
        WHERE achievements.game_id = asked.game_id AND key = achievement_key
        OFFSET 0
        FOR KEY SHARE
      ) AS definition
    ), inserted AS (
      INSERT INTO achievement_unlocks (game_id, environment, player_id, achievement_key)
      SELECT game_id, environment, player_id, achievement_key
      FROM defined
      WHERE NOT archived
      ORDER BY game_id, environment, player_id, achievement_key
      ON CONFLICT DO NOTHING
      RETURNING game_id, environment, player_id, achievement_key
    ), ${is_posted ? postUnlocks : sql``}${lockPlayersOf(sql`inserted`)}
    SELECT number - 1 AS index, name, description, points, inserted.player_id IS NOT NULL AS is_new
    FROM defined
    LEFT JOIN inserted USING (game_id, environment, player_id, achievement_key)
    WHERE NOT archived OR (
      SELECT true FROM achievement_unlocks AS had
      WHERE had.game_id = defined.game_id AND had.environment = defined.environment
        AND had.player_id = defined.player_id AND had.achievement_key = defined.achievement_key)`);
  for (const { index, name, description, points, is_new } of rows) {
    Object.assign(unlocks[index]!, { definition: { name, description, points }, is_new });
  }
}
