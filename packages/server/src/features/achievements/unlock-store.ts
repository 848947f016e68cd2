import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Merge, PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { PublicAchievement, UnlockTimes } from './catalogue.ts';

/** An achievement, and whether one player has unlocked it. */
export interface UnlockedAchievement extends PublicAchievement {
  unlocked: boolean;
  unlocked_at: string | null;
}

/** Lists the times at which the player unlocked achievements. */
export async function listUnlockTimes(
  database: Queryable,
  player: PlayerKey,
): Promise<UnlockTimes> {
  const rows = await database.query<{ achievement_key: string; unlocked_at: string }>(sql`
    SELECT achievement_key, unlocked_at
    FROM achievement_unlocks
    WHERE ${isOfPlayer(player)}`);
  return new Map(rows.map(({ achievement_key, unlocked_at }) => [achievement_key, unlocked_at]));
}

const unlockedColumns = sql`key, name, description, icon_url, points, hidden, archived,
  unlocked_at IS NOT NULL AS unlocked, unlocked_at`;

/** Lists the catalogue by position, and with it the archived achievements that the player has. */
export async function listUnlockedAchievements(
  database: Queryable,
  { game_id, environment, player_id }: PlayerKey,
): Promise<UnlockedAchievement[]> {
  return database.query(sql`
    SELECT ${unlockedColumns}
    FROM achievements
    LEFT JOIN achievement_unlocks AS had
      ON had.game_id = achievements.game_id AND environment = ${environment}
        AND player_id = ${player_id} AND achievement_key = key
    WHERE achievements.game_id = ${game_id} AND (NOT archived OR unlocked_at IS NOT NULL)
    ORDER BY position, key`);
}

/** Finds one achievement of a player; null when the player does not have it. */
export async function findUnlockedAchievement(
  database: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  achievement_key: string,
): Promise<UnlockedAchievement | null> {
  return database.queryOne<UnlockedAchievement>(sql`
    SELECT ${unlockedColumns}
    FROM achievement_unlocks AS had
    JOIN achievements ON achievements.game_id = had.game_id AND key = achievement_key
    WHERE had.game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
      AND achievement_key = ${achievement_key}`);
}

/** Inserts an unlock. @returns true when the player did not have the achievement before. */
export async function insertUnlock(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  achievement_key: string,
): Promise<boolean> {
  const count = await tx.execute(sql`
    INSERT INTO achievement_unlocks (game_id, environment, player_id, achievement_key)
    VALUES (${game_id}, ${environment}, ${player_id}, ${achievement_key})
    ON CONFLICT DO NOTHING`);
  return count > 0;
}

/** Deletes an unlock. @returns whether the player had the achievement. */
export async function deleteUnlock(
  tx: Queryable,
  player: PlayerKey,
  achievement_key: string,
): Promise<boolean> {
  const count = await tx.execute(sql`
    DELETE FROM achievement_unlocks
    WHERE ${isOfPlayer(player)} AND achievement_key = ${achievement_key}`);
  return count > 0;
}

/**
 * Moves unlocks to the player of a merge. If both players have an achievement, the earlier time stays.
 * @returns the keys of the achievements that the player gains.
 */
async function moveUnlocks(tx: Queryable, { player, from }: Merge): Promise<string[]> {
  const stored = await tx.query<{ achievement_key: string; is_gained: boolean }>(sql`
    WITH moved AS (
      DELETE FROM achievement_unlocks WHERE ${isOfPlayer(from)} RETURNING *
    )
    INSERT INTO achievement_unlocks AS known
      (game_id, environment, player_id, achievement_key, unlocked_at)
    SELECT game_id, environment, ${player.player_id}, achievement_key, unlocked_at
    FROM moved
    ORDER BY achievement_key
    ON CONFLICT (game_id, environment, player_id, achievement_key) DO UPDATE
    SET unlocked_at = LEAST(known.unlocked_at, EXCLUDED.unlocked_at)
    RETURNING achievement_key, xmax = 0 AS is_gained`);
  return stored.filter(({ is_gained }) => is_gained).map((unlock) => unlock.achievement_key);
}

/** The source that exports, merges and erases the unlocks of players. */
export const unlockSource: PlayerDataSource = {
  name: 'achievements',
  exportPlayer: (database, player) =>
    database.query(sql`
      SELECT achievement_key, unlocked_at
      FROM achievement_unlocks
      WHERE ${isOfPlayer(player)}
      ORDER BY achievement_unlocks.unlocked_at, achievement_key`),
  async deletePlayer(tx, player) {
    await tx.execute(sql`DELETE FROM achievement_unlocks WHERE ${isOfPlayer(player)}`);
  },
  mergePlayer: async (tx, merge) => ({ achievements: await moveUnlocks(tx, merge) }),
};
