import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';

/**
 * If the changes of a season will be logged for less than this time, a server that still
 * follows the season asks for another day.
 */
export const MIN_FOLLOWED_MS = 12 * 3_600_000;

/** Makes all servers log the changes of a season for a day, so that this server can follow the changes. */
export async function logChanges(
  database: Queryable,
  { board, season }: { board: Omit<SeasonKey, 'season'>; season: number },
): Promise<void> {
  await database.execute(sql`
    UPDATE leaderboard_seasons SET followed_until = now() + interval '1 day'
    WHERE ${ofSeason({ ...board, season })}`);
}
