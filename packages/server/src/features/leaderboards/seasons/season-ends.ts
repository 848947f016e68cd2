import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import {
  apiTimestamp,
  insertDeliveries,
  postEvent,
} from '../../../platform/webhooks/post-event.ts';
import { beginRewards } from '../rewards/reward-runs.ts';
import type { SeasonKey } from '../store.ts';

const BATCH_SEASONS = 500;

/**
 * Tells webhooks about the seasons that have reached the end of their schedule, and begins to reward them. A
 * timer must do this: the row of such a season is closed only when the first score of the next season comes,
 * which may be much later.
 */
export async function announceSeasonEnds(database: Database, now: Date): Promise<void> {
  let ended: number;
  do {
    ended = await database.transaction(async (tx) => {
      const seasons = await tx.query<SeasonKey>(sql`
      WITH ended AS (
        UPDATE leaderboard_seasons SET end_announced_at = now()
        WHERE (game_id, environment, board_name, season) IN (
          SELECT game_id, environment, board_name, season FROM leaderboard_seasons
          WHERE ends_at <= ${now} AND ended_at IS NULL AND end_announced_at IS NULL
          ORDER BY ends_at
          LIMIT ${BATCH_SEASONS}::integer
          FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING game_id, environment, board_name, season, total_entries, started_at, ends_at
      ), posted AS (
        ${insertDeliveries(sql`(
          SELECT game_id, environment, NULL AS player_id, 'leaderboard.season_ended' AS type,
                 json_build_object(
                   'game_id', game_id, 'environment', environment, 'board_name', board_name,
                   'season', season, 'total_entries', total_entries,
                   'started_at', ${apiTimestamp(sql`started_at`)},
                   'ended_at', ${apiTimestamp(sql`ends_at`)}) AS data
          FROM ended) AS happened`)}
      )
      SELECT game_id, environment, board_name, season FROM ended`);
      await beginRewards(tx, seasons);
      return seasons.length;
    });
  } while (ended === BATCH_SEASONS);
}

/** The data of an ended season. */
export interface EndedSeason {
  total_entries: number;
  started_at: string;
  ended_at: string;
}

/** Tells webhooks about the end of one season, in the transaction that ends it. */
export async function postSeasonEnd(
  tx: Queryable,
  { game_id, environment, board_name, season }: SeasonKey,
  { total_entries, started_at, ended_at }: EndedSeason,
): Promise<void> {
  const data = { game_id, environment, board_name, season, total_entries, started_at, ended_at };
  const type = 'leaderboard.season_ended';
  await postEvent(tx, { game_id, environment, type, player_id: null, data });
}
