import { sql } from '../../platform/database/sql.ts';
import { isEarlier, microseconds } from '../../platform/players/story-source.ts';
import type { StoryEntry, StorySource } from '../../platform/players/story-source.ts';

/** The unlocks of a player: at most one for each achievement of the game. */
export const unlockStory: StorySource<'unlock'> = {
  kind: 'unlock',
  async list(database, { game_id, environment, player_id }, { before, limit }) {
    const rows = await database.query<StoryEntry<'unlock'> & { at_us: number }>(sql`
      SELECT achievement_key, name, points, ${microseconds(sql`unlocked_at`)} AS at_us
      FROM achievement_unlocks AS had
      JOIN achievements ON achievements.game_id = had.game_id AND key = achievement_key
      WHERE had.game_id = ${game_id} AND environment = ${environment}
        AND player_id = ${player_id}
        AND ${isEarlier(sql`unlocked_at`, sql`achievement_key`, before)}
      ORDER BY unlocked_at DESC, achievement_key COLLATE "C" DESC
      LIMIT ${limit}`);
    return {
      rows: rows.map(({ at_us, ...entry }) => ({ at_us, key: entry.achievement_key, entry })),
    };
  },
};
