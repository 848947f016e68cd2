import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { changesOfAll, storeSeasonChanges } from '../seasons/season-changes.ts';
import { lockSeason } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';
import { selectTieKey } from '../tie-break.ts';
import { rangesOf } from './reward-ranks.ts';

/** A season whose ranks are not read yet. */
export interface OpenRun extends SeasonKey {
  rewards: SeasonReward[];
}

/** The scores of a player that wait in a season keep the player's reward back. */
export const hasWaiting = (season: SeasonKey, player_id: Sql): Sql => sql`EXISTS (
  SELECT FROM leaderboard_held_scores AS held
  WHERE ${ofSeason(season, sql`held`)} AND held.player_id = ${player_id} AND held.state = 'waiting')`;

/** SQL for the order of the entries of a season. @param row The entry. */
export const rankColumns = ({ sort_order, tie_break }: LockedSeason, row: Sql): Sql => {
  const score = sort_order === 'ascending' ? sql`${row}.score` : sql`-${row}.score`;
  return sql`${score}, ${selectTieKey(sql`${tie_break}::text`, sql`${row}.tie_value`)}, ${row}.seq`;
};

/**
 * Reads the ranks of a season that has ended, and stores for each rewarded player the reward. Players whose
 * scores wait are held back. They do not change the ranks of the others.
 */
export async function rankSeason(database: Database, run: OpenRun): Promise<void> {
  const season = await closeSeason(database, run);
  if (season === null) return;
  await database.transaction(async (tx) => {
    // A million entries take some 10 s.
    await tx.execute(sql`SET LOCAL statement_timeout = '10min'`);
    const open = await tx.queryOne(sql`
      SELECT FROM leaderboard_reward_runs
      WHERE ${ofSeason(run)} AND state = 'waiting'
      FOR UPDATE SKIP LOCKED`);
    if (open === null) return;
    await insertRewarded(tx, season, run.rewards);
    await tx.execute(sql`
      UPDATE leaderboard_reward_runs SET state = 'giving' WHERE ${ofSeason(run)}`);
  });
}

/**
 * Waits for submits that were decided before the end of the season, and lets no further one in: the season
 * gets a new version, and who reads it sees that it is over.
 */
const closeSeason = (database: Database, run: OpenRun): Promise<LockedSeason | null> =>
  database.transaction(async (tx) => {
    const season = await lockSeason(tx, run);
    if (season !== null) await storeSeasonChanges(tx, changesOfAll([season], []));
    return season;
  });

async function insertRewarded(
  tx: Queryable,
  season: LockedSeason,
  rewards: readonly SeasonReward[],
): Promise<void> {
  const { game_id, environment, board_name } = season;
  const counted = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM leaderboard_entries WHERE ${ofSeason(season)}`);
  const ranges = rangesOf(rewards, counted!.count);
  const last_rank = Math.max(0, ...ranges.map(({ to }) => to));
  const key = sql`${game_id}::uuid, ${environment}::environment, ${board_name}::text,
    ${season.season}::integer`;
  await tx.execute(sql`
    INSERT INTO leaderboard_rewarded_players
      (game_id, environment, board_name, season, player_id, rank, reward, state)
    SELECT ${key}, player_id, rank, reward, 'due'
    FROM (
      SELECT player_id,
        (row_number() OVER (ORDER BY ${rankColumns(season, sql`entry`)}))::integer AS rank
      FROM leaderboard_entries AS entry
      WHERE ${ofSeason(season)}
      ORDER BY rank
      LIMIT ${last_rank}
    ) AS ranked
    CROSS JOIN LATERAL (
      SELECT (min(place) - 1)::smallint AS reward
      FROM unnest(${ranges.map(({ from }) => from)}::integer[],
                  ${ranges.map(({ to }) => to)}::integer[])
        WITH ORDINALITY AS range (from_rank, to_rank, place)
      WHERE rank BETWEEN from_rank AND to_rank
    ) AS first
    WHERE reward IS NOT NULL AND NOT ${hasWaiting(season, sql`ranked.player_id`)}
    ON CONFLICT (game_id, environment, player_id, board_name, season) DO NOTHING`);
  await tx.execute(sql`
    INSERT INTO leaderboard_rewarded_players
      (game_id, environment, board_name, season, player_id, state)
    SELECT ${key}, player_id, 'held'
    FROM leaderboard_held_scores
    WHERE ${ofSeason(season)} AND state = 'waiting'
    ON CONFLICT (game_id, environment, player_id, board_name, season) DO NOTHING`);
}
