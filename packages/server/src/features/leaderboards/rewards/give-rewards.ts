import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { restAfter } from '../../../platform/rest.ts';
import { lockSeason } from '../seasons/season-store.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';
import { hasWaiting, rankColumns, rankSeason } from './rank-season.ts';
import type { OpenRun } from './rank-season.ts';
import { findReward, rangesOf } from './reward-ranks.ts';

/** A message with the reward of a season, to one player. */
export interface RewardMessage extends PlayerKey {
  message_id: string;
  title: string;
  text: string;
  rewards: SeasonReward['rewards'];
  /** Says to members of the game why it was sent. */
  reason: string;
}

/** Sends messages to players, in the transaction that notes their rewards as given. */
export type SendRewards = (tx: Queryable, messages: readonly RewardMessage[]) => Promise<void>;

/** The players whose messages one transaction sends: some 30 ms. */
const PIECE = 200;
/** The scores whose decisions one round looks at. */
const RELEASED = 200;
/** A submit that was decided before the end of its season is stored within this time. */
const SETTLED_SECONDS = 3;

/**
 * Rewards the seasons that have ended, in small pieces. Each piece is one transaction, so a server that is killed
 * has either sent a message and noted it, or neither.
 */
export async function giveSeasonRewards(database: Database, send: SendRewards): Promise<void> {
  const waiting = await database.query<OpenRun>(sql`
    SELECT game_id, environment, board_name, season, rewards FROM leaderboard_reward_runs
    WHERE state = 'waiting' AND began_at <= now() - make_interval(secs => ${SETTLED_SECONDS})
    ORDER BY began_at`);
  for (const run of waiting) await rankSeason(database, run);
  await releaseHeld(database);
  for (;;) {
    const runs = await database.query<OpenRun>(sql`
      SELECT game_id, environment, board_name, season, rewards FROM leaderboard_reward_runs AS run
      WHERE state = 'giving' AND EXISTS (
        SELECT FROM leaderboard_rewarded_players AS rewarded
        WHERE ${isOfRun} AND rewarded.state = 'due')`);
    let given = 0;
    // Seasons take turns, so that a large one delays no other.
    for (const run of runs) {
      const began_ms = performance.now();
      given += await givePiece(database, run, send);
      await restAfter(performance.now() - began_ms, { times: 2 });
    }
    if (given === 0) break;
  }
  await database.execute(sql`
    UPDATE leaderboard_reward_runs AS run SET state = 'done'
    WHERE state = 'giving' AND NOT EXISTS (
      SELECT FROM leaderboard_rewarded_players AS rewarded
      WHERE ${isOfRun} AND rewarded.state IN ('due', 'held'))`);
}

const isOfRun = sql`rewarded.game_id = run.game_id AND rewarded.environment = run.environment
  AND rewarded.board_name = run.board_name AND rewarded.season = run.season`;

/** Sends the next messages of a season. @returns the number of players whose rewards are settled. */
function givePiece(database: Database, run: OpenRun, send: SendRewards): Promise<number> {
  const { game_id, environment, board_name, season } = run;
  return database.transaction(async (tx) => {
    // An erasure of one of the players waits, and then also erases the message.
    const due = await tx.query<{
      player_id: string;
      reward: number;
      message_id: string;
      is_there: boolean;
    }>(sql`
      WITH due AS MATERIALIZED (
        SELECT game_id, environment, player_id, reward, message_id, rank
        FROM leaderboard_rewarded_players
        WHERE ${ofSeason(run)} AND state = 'due'
        ORDER BY rank
        LIMIT ${PIECE}
        FOR UPDATE SKIP LOCKED
      ), entered AS MATERIALIZED (
        SELECT due.*, EXISTS (
          SELECT FROM leaderboard_entries AS entry
          WHERE ${ofSeason(run, sql`entry`)} AND entry.player_id = due.player_id) AS is_there
        FROM due
      ), there AS MATERIALIZED (
        SELECT game_id, environment, player_id FROM entered WHERE is_there
      ), ${lockPlayersOf(sql`there`)}
      SELECT player_id, reward, message_id, is_there FROM entered ORDER BY rank`);
    const messages = due.flatMap(({ player_id, reward, message_id, is_there }) => {
      const { title, text, rewards } = run.rewards[reward]!;
      const reason = `Season ${season} of ${board_name}`;
      const message = { game_id, environment, player_id, message_id, title, text, rewards, reason };
      return is_there ? [message] : [];
    });
    if (messages.length > 0) await send(tx, messages);
    await tx.execute(sql`
      UPDATE leaderboard_rewarded_players AS rewarded
      SET state = CASE WHEN is_there THEN 'given' ELSE 'gone' END,
        given_at = CASE WHEN is_there THEN ${new Date()}::timestamptz END
      FROM unnest(${due.map(({ player_id }) => player_id)}::text[],
                  ${due.map(({ is_there }) => is_there)}::boolean[]) AS settled (player_id, is_there)
      WHERE ${ofSeason(run, sql`rewarded`)} AND rewarded.player_id = settled.player_id`);
    const gone = due.filter(({ is_there }) => !is_there).map(({ player_id }) => player_id);
    if (gone.length > 0) await forgetErased(tx, run, gone);
    return due.length;
  });
}

/** A player who was erased while the ranks were read has got a row after the erasure. */
const forgetErased = (
  tx: Queryable,
  run: SeasonKey,
  player_ids: readonly string[],
): Promise<number> =>
  tx.execute(sql`
    DELETE FROM leaderboard_rewarded_players AS rewarded
    WHERE ${ofSeason(run, sql`rewarded`)} AND rewarded.player_id = ANY(${[...player_ids]}::text[])
      AND NOT EXISTS (
        SELECT FROM players
        WHERE players.game_id = rewarded.game_id AND players.environment = rewarded.environment
          AND players.player_id = rewarded.player_id)`);

/** Finds the rewards of players whose scores were decided after the end of their season. */
async function releaseHeld(database: Database): Promise<void> {
  const held = await database.query<OpenRun & { player_id: string }>(sql`
    SELECT run.game_id, run.environment, run.board_name, run.season, rewards, rewarded.player_id
    FROM leaderboard_rewarded_players AS rewarded
    JOIN leaderboard_reward_runs AS run USING (game_id, environment, board_name, season)
    WHERE rewarded.state = 'held' AND run.state = 'giving' AND NOT EXISTS (
      SELECT FROM leaderboard_held_scores AS held
      WHERE held.game_id = run.game_id AND held.environment = run.environment
        AND held.player_id = rewarded.player_id AND held.board_name = run.board_name
        AND held.season = run.season AND held.state = 'waiting')
      AND (
        EXISTS (
          SELECT FROM leaderboard_entries AS entry
          WHERE entry.game_id = run.game_id AND entry.environment = run.environment
            AND entry.player_id = rewarded.player_id AND entry.board_name = run.board_name
            AND entry.season = run.season)
        OR NOT EXISTS (
          SELECT FROM leaderboard_held_scores AS held
          WHERE held.game_id = run.game_id AND held.environment = run.environment
            AND held.player_id = rewarded.player_id AND held.board_name = run.board_name
            AND held.season = run.season))
    LIMIT ${RELEASED}`);
  for (const { player_id, ...run } of held) await release(database, run, player_id);
}

/** Gives a player whose score was decided the rank of now. Who is off the board may come back by an undo. */
async function release(database: Database, run: OpenRun, player_id: string): Promise<void> {
  await database.transaction(async (tx) => {
    const season = await lockSeason(tx, run);
    if (season === null) return;
    const row = await tx.queryOne<{
      rank: number | null;
      total_entries: number;
      is_decided: boolean;
      may_return: boolean;
    }>(sql`
      SELECT NOT ${hasWaiting(run, sql`${player_id}`)} AS is_decided,
        EXISTS (SELECT FROM leaderboard_held_scores AS held
                WHERE ${ofSeason(run, sql`held`)} AND held.player_id = ${player_id}) AS may_return,
        (SELECT count(*) FROM leaderboard_entries AS entry WHERE ${ofSeason(run)}) AS total_entries,
        (SELECT (SELECT count(*) + 1 FROM leaderboard_entries AS entry
                 WHERE ${ofSeason(run, sql`entry`)}
                   AND (${rankColumns(season, sql`entry`)}) < (${rankColumns(season, sql`own`)}))
         FROM leaderboard_entries AS own
         WHERE ${ofSeason(run, sql`own`)} AND own.player_id = ${player_id}) AS rank`);
    const { rank, total_entries, is_decided, may_return } = row!;
    if (!is_decided || (rank === null && may_return)) return;
    const reward = rank === null ? null : findReward(rangesOf(run.rewards, total_entries), rank);
    await settle(tx, run, player_id, rank, reward);
  });
}

const settle = (
  tx: Queryable,
  run: SeasonKey,
  player_id: string,
  rank: number | null,
  reward: number | null,
): Promise<number> =>
  tx.execute(
    reward === null
      ? sql`
        DELETE FROM leaderboard_rewarded_players
        WHERE ${ofSeason(run)} AND player_id = ${player_id} AND state = 'held'`
      : sql`
        UPDATE leaderboard_rewarded_players SET state = 'due', rank = ${rank}, reward = ${reward}
        WHERE ${ofSeason(run)} AND player_id = ${player_id} AND state = 'held'`,
  );
