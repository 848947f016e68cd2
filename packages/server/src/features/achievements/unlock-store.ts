import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { exportRows } from '../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
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

/** The unlocks of players. If two players of a merge have an achievement, the earlier time stays. */
export const unlockSource: PlayerDataSource = {
  name: 'achievements',
  tables: [
    {
      table: 'achievement_unlocks',
      merge: {
        key: ['achievement_key'],
        columns: { unlocked_at: 'earliest' },
        run: async (tx, join) => ({ achievements: await listGained(tx, join) }),
      },
    },
    {
      table: 'granted_players',
      merge: { key: ['grant_id'], columns: { unlocked_at: 'earliest' } },
    },
  ],
  exportPlayer: exportRows({
    columns: sql`achievement_key, unlocked_at`,
    from: sql`achievement_unlocks`,
    order: ['unlocked_at', 'achievement_key'],
  }),
};

/** Joins the unlocks of two players. @returns the keys of the achievements that the player who stays gains. */
async function listGained(tx: Queryable, join: Sql): Promise<string[]> {
  const joined = await tx.query<{ achievement_key: string; is_gained: boolean }>(
    sql`${join} RETURNING achievement_key, xmax = 0 AS is_gained`,
  );
  return joined.filter(({ is_gained }) => is_gained).map((unlock) => unlock.achievement_key);
}
