import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import type { RewardRunState } from '@overworld/contract/leaderboards/season-rewards';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { ofSeason, seasonArrays } from '../store.ts';
import type { SeasonKey } from '../store.ts';

/**
 * Begins to reward seasons that have ended, if their boards have rewards, in the transaction that ends them. It takes
 * two statements, because a cluster cannot insert rows of another table here.
 */
export async function beginRewards(tx: Queryable, ended: readonly SeasonKey[]): Promise<void> {
  if (ended.length === 0) return;
  const found = await tx.query<{ index: number; rewards: SeasonReward[] }>(sql`
    SELECT ordinality::integer - 1 AS index, season_rewards AS rewards
    FROM unnest(${seasonArrays(ended)})
      WITH ORDINALITY AS ended (game_id, environment, board_name, season)
    CROSS JOIN LATERAL (
      SELECT season_rewards FROM leaderboards AS board
      WHERE board.game_id = ended.game_id AND board.board_name = ended.board_name
        AND json_array_length(season_rewards) > 0
      OFFSET 0
    ) AS board`);
  for (const { index, rewards } of found) await insertRun(tx, ended[index]!, rewards);
}

/** The rewards of one season, with the numbers of players. */
export interface RewardRun {
  season: number;
  state: RewardRunState;
  rewards: (SeasonReward & { player_count: number; given_count: number })[];
  held_count: number;
  began_at: string;
}

/** @returns null if the season has no rewards. */
export async function findRun(database: Queryable, season: SeasonKey): Promise<RewardRun | null> {
  const run = await database.queryOne<Omit<RewardRun, 'rewards'> & { rewards: SeasonReward[] }>(sql`
    SELECT season, state, rewards, began_at,
      (SELECT count(*) FROM leaderboard_rewarded_players
       WHERE ${ofSeason(season)} AND state = 'held') AS held_count
    FROM leaderboard_reward_runs
    WHERE ${ofSeason(season)}`);
  if (run === null) return null;
  const counts = await database.query<{ reward: number; players: number; given: number }>(sql`
    SELECT reward, count(*) AS players, count(*) FILTER (WHERE state = 'given') AS given
    FROM leaderboard_rewarded_players
    WHERE ${ofSeason(season)} AND reward IS NOT NULL
    GROUP BY reward`);
  const rewards = run.rewards.map((reward, place) => {
    const count = counts.find((each) => each.reward === place);
    return { ...reward, player_count: count?.players ?? 0, given_count: count?.given ?? 0 };
  });
  return { ...run, rewards };
}

export interface RewardedPlayer {
  player_id: string;
  rank: number | null;
  reward: number | null;
  state: 'held' | 'due' | 'given' | 'gone';
  given_at: string | null;
}

/** The sort key of players whose rank is not known yet: they come last. */
const LAST = 2_147_483_647;

/** Lists the players of a season with their rewards, by rank, and then by id. */
export const listRewarded = (
  database: Queryable,
  season: SeasonKey,
  after: { place: number; player_id: string } | null,
  limit: number,
): Promise<(RewardedPlayer & { place: number })[]> =>
  database.query(sql`
    SELECT player_id, rank, reward, state, given_at, coalesce(rank, ${LAST}::integer) AS place
    FROM leaderboard_rewarded_players
    WHERE ${ofSeason(season)}
      AND (${after === null} OR (coalesce(rank, ${LAST}::integer), player_id)
        > (${after?.place ?? 0}::integer, ${after?.player_id ?? ''}))
    ORDER BY place, player_id
    LIMIT ${limit}`);

/** Stores the rewards of a season that has ended. @returns false if the season has rewards already. */
export async function insertRun(
  tx: Queryable,
  { game_id, environment, board_name, season }: SeasonKey,
  rewards: readonly SeasonReward[],
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    INSERT INTO leaderboard_reward_runs (game_id, environment, board_name, season, rewards)
    VALUES (${game_id}, ${environment}, ${board_name}, ${season}, ${JSON.stringify(rewards)}::json)
    ON CONFLICT (game_id, environment, board_name, season) DO NOTHING`);
  return inserted > 0;
}
