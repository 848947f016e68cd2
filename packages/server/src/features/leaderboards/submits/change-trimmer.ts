import type { Database } from '../../../platform/database/database.ts';
import { forRowsOfEachGroup } from '../../../platform/database/group-rows.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import { nameOfSeason, seasonArrays } from '../store.ts';
import type { SeasonKey } from '../store.ts';

/**
 * The minimum number of changes that are kept for a season. If a small board has missed more changes than
 * this, loading it again is as fast as applying the changes.
 */
const MIN_KEPT = 50;
/** The maximum number of changes that are kept for a season. */
const MAX_KEPT = 2_000;
/**
 * The maximum number of seasons whose changes are counted. If more seasons change, some keep too many changes
 * for a while.
 */
const MAX_COUNTED = 10_000;

/**
 * Keeps the log of changes to boards short. Only the newest changes of a season are kept: one for each
 * hundred entries of the season, within the limits above.
 */
export function createChangeTrimmer(database: GroupedDatabase) {
  const counts = new Map<string, { season: SeasonKey; changes: number }>();

  return {
    /** Notes that a change of the season was logged. */
    note(season: SeasonKey) {
      const name = nameOfSeason(season, season.season);
      const noted = counts.get(name);
      if (noted !== undefined) {
        noted.changes++;
        return;
      }
      if (counts.size >= MAX_COUNTED) counts.delete(counts.keys().next().value!);
      counts.set(name, { season, changes: 1 });
    },
    /** Deletes old changes of the seasons that have logged many changes; called by a timer. */
    async trim() {
      const grown: SeasonKey[] = [];
      for (const [name, { season, changes }] of counts) {
        if (changes < MIN_KEPT) continue;
        grown.push(season);
        counts.delete(name);
      }
      await forRowsOfEachGroup(database, grown, deleteOldChanges);
    },
  };
}

export type ChangeTrimmer = ReturnType<typeof createChangeTrimmer>;

async function deleteOldChanges(database: Database, seasons: readonly SeasonKey[]): Promise<void> {
  await database.execute(sql`
    DELETE FROM leaderboard_changes AS old
    USING unnest(${seasonArrays(seasons)})
        AS asked (game_id, environment, board_name, season)
      CROSS JOIN LATERAL (
        SELECT version FROM leaderboard_changes AS change
        WHERE change.game_id = asked.game_id AND change.environment = asked.environment
          AND change.board_name = asked.board_name AND change.season = asked.season
        ORDER BY version DESC
        OFFSET (
          SELECT least(${MAX_KEPT}, greatest(${MIN_KEPT}, total_entries / 100))
          FROM leaderboard_seasons AS current
          WHERE current.game_id = asked.game_id AND current.environment = asked.environment
            AND current.board_name = asked.board_name AND current.season = asked.season
        )
        LIMIT 1
      ) AS last
    WHERE old.game_id = asked.game_id AND old.environment = asked.environment
      AND old.board_name = asked.board_name AND old.season = asked.season
      AND old.version <= last.version`);
}
