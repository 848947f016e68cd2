import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';

/** With less time left, a server that still follows a season asks again. */
export const MIN_FOLLOWED_MS = 12 * 3_600_000;

/** Makes all servers log the changes of a season for a day, so that this one can follow them. */
export async function logChanges(
  database: Queryable,
  { board, season }: { board: Omit<SeasonKey, 'season'>; season: number },
): Promise<void> {
  await database.execute(sql`
    UPDATE leaderboard_seasons SET followed_until = now() + interval '1 day'
    WHERE ${ofSeason({ ...board, season })}`);
}
