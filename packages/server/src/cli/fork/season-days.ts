import { ENVIRONMENTS } from '@overworld/contract/common';
import { lockBoard, nextReset } from '../../features/leaderboards/seasons/season-store.ts';
import { beginDueSeason } from '../../features/leaderboards/seasons/seasons.ts';
import { nextVersion } from '../../features/leaderboards/store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

const DAY_MS = 86_400_000;

/**
 * Sets the ends of the current seasons by the calendar of a fork, which is `days` ahead: on the third day after a
 * Monday it is Thursday, whatever day the installation has. Each season gets a new version, because servers know
 * the ends of seasons by their versions.
 */
export async function setSeasonEnds(
  tx: Queryable,
  game_id: string,
  days: number,
  now: Date,
): Promise<void> {
  const ahead = new Date(now.getTime() + days * DAY_MS);
  await tx.execute(sql`
    UPDATE leaderboard_seasons AS season
    SET ends_at = ((${nextReset(sql`reset_schedule`, ahead)}) AT TIME ZONE 'UTC'
                   - ${days}::integer * interval '1 day') AT TIME ZONE 'UTC',
        version = greatest(season.version + 1, ${nextVersion(0)})
    FROM leaderboards AS board
    JOIN games ON games.id = board.game_id
    WHERE board.game_id = ${game_id} AND season.game_id = ${game_id}
      AND season.board_name = board.board_name
      AND season.ended_at IS NULL AND season.ends_at > ${now} AND reset_schedule <> 'none'`);
}

/**
 * Gives all seasons of a fork new versions, also those that have ended. Servers then read their entries again, of
 * which only the times have moved.
 */
export const renewSeasons = (tx: Queryable, game_id: string): Promise<number> =>
  tx.execute(sql`
    UPDATE leaderboard_seasons SET version = greatest(version + 1, ${nextVersion(0)})
    WHERE game_id = ${game_id}`);

/** Begins the seasons that are due on boards with a schedule, as the first score of somebody would. */
export async function beginDueSeasons(tx: Queryable, game_id: string, now: Date): Promise<void> {
  const boards = await tx.query<{ board_name: string }>(sql`
    SELECT board_name FROM leaderboards
    WHERE game_id = ${game_id} AND reset_schedule <> 'none'
    ORDER BY board_name`);
  for (const { board_name } of boards) {
    await lockBoard(tx, game_id, board_name);
    for (const environment of ENVIRONMENTS) {
      await beginDueSeason(tx, { game_id, environment, board_name }, now);
    }
  }
}
