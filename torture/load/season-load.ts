import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import { REWARDED_BOARD } from './game.ts';
import type { Scene, Step, Workload } from './workload.ts';

interface Sent {
  /** The last score that was acknowledged; null before the first one. */
  acknowledged: number | null;
  /** The last score that was sent. */
  sent: number;
}

const PLAYERS_OF_A_CLIENT = 5;
/** One request of this number ends the season by hand. */
const SUBMITS_A_SEASON = 40;
const TASK = 'giving rewards of seasons';
const PATIENCE_MS = 60_000;

/**
 * Submits scores to a board whose seasons are ended by hand, and whose rewards go to all players. Each player of
 * a season must get one message, whatever happens meanwhile.
 * @param token The token of an account that may change the game.
 * @param checks_until_all After each of this number of checks, all rewards must have been given. The other checks
 * only let a server begin, so that the next fault strikes in the middle.
 */
export function createSeasonLoad(
  random: Random,
  game_id: string,
  token: string,
  checks_until_all: number,
): Workload {
  const players = new Map<string, Sent>();
  /** The seasons that were ended, and the requests to end one whose outcomes are not known. */
  let ended = 0;
  let unknown = 0;
  let serial = 0;
  let checks = 0;

  const endSeason = (): Step => ({
    request: {
      method: 'POST',
      path: `/v1/games/${game_id}/leaderboards/${REWARDED_BOARD}/reset?environment=production`,
      headers: { authorization: `Bearer ${token}` },
    },
    onOutcome(answer) {
      if (answer === null) unknown += 1;
      else ended += 1;
      return null;
    },
  });

  return {
    name: 'seasons',
    next(client): Step {
      if (random.below(SUBMITS_A_SEASON) === 0) return endSeason();
      const player_id = `r-${client}-${random.below(PLAYERS_OF_A_CLIENT)}`;
      const player = players.get(player_id) ?? { acknowledged: null, sent: 0 };
      players.set(player_id, player);
      const score = ++serial;
      player.sent = score;
      return {
        request: {
          method: 'POST',
          path: '/v1/leaderboards',
          body: JSON.stringify({ board_name: REWARDED_BOARD, player_id, score }),
        },
        onOutcome(answer) {
          if (answer !== null) player.acknowledged = score;
          return null;
        },
      };
    },
    async check(scene) {
      const problems = [...(await checkScores(scene, players)), ...(await findTorn(scene))];
      const row = await scene.database.queryOne<{ ended: number; forgotten: number }>(sql`
        SELECT count(*) AS ended, count(*) FILTER (WHERE run.season IS NULL) AS forgotten
        FROM leaderboard_seasons AS season
        LEFT JOIN leaderboard_reward_runs AS run USING (game_id, environment, board_name, season)
        WHERE season.game_id = ${game_id} AND board_name = ${REWARDED_BOARD} AND ended_at IS NOT NULL`);
      const stored = row!.ended;
      if (stored < ended || stored > ended + unknown) {
        problems.push(`${stored} seasons have ended, and not ${ended} to ${ended + unknown}`);
      }
      if (row!.forgotten > 0) problems.push(`${row!.forgotten} seasons are not rewarded`);
      [ended, unknown] = [stored, 0];
      await beginRewards(scene);
      checks += 1;
      if (checks % checks_until_all === 0) {
        if (!(await waitForRewards(scene))) problems.push('rewards of a season are not given');
        problems.push(...(await findTorn(scene)));
      }
      return problems;
    },
  };
}

/** Compares the best scores of all seasons. A player's scores rise, so each was the best when it was sent. */
async function checkScores(
  { database, game_id }: Scene,
  players: ReadonlyMap<string, Sent>,
): Promise<string[]> {
  const rows = await database.query<{ player_id: string; score: number }>(sql`
    SELECT player_id, max(score) AS score FROM leaderboard_entries
    WHERE game_id = ${game_id} AND board_name = ${REWARDED_BOARD}
    GROUP BY player_id`);
  const stored = new Map(rows.map(({ player_id, score }) => [player_id, score]));
  const problems: string[] = [];
  for (const [player_id, { acknowledged, sent }] of players) {
    const score = stored.get(player_id) ?? 0;
    if (score < (acknowledged ?? 0) || score > sent) {
      problems.push(`${player_id} has ${score}, and not ${acknowledged ?? 0} to ${sent}`);
    }
  }
  return problems;
}

/** Finds players whose messages and notes of rewards differ, or who have got nothing for a rewarded season. */
async function findTorn({ database, game_id }: Scene): Promise<string[]> {
  const torn = await database.query<{ name: string; sent: number }>(sql`
    SELECT concat(player_id, ', ', reason) AS name, coalesce(sent, 0) AS sent
    FROM (SELECT player_id, reason, count(*) AS sent FROM messages
          WHERE game_id = ${game_id} AND player_id IS NOT NULL
          GROUP BY player_id, reason) AS messages
    FULL JOIN (SELECT player_id, concat('Season ', season, ' of ', board_name) AS reason,
                      true AS is_given
               FROM leaderboard_rewarded_players
               WHERE game_id = ${game_id} AND state = 'given') AS given
      USING (player_id, reason)
    WHERE sent IS DISTINCT FROM 1 OR is_given IS NULL`);
  const left_out = await database.query<{ name: string }>(sql`
    SELECT concat(player_id, ', season ', season) AS name
    FROM leaderboard_entries AS entry
    JOIN leaderboard_reward_runs AS run USING (game_id, environment, board_name, season)
    WHERE run.game_id = ${game_id} AND run.state = 'done' AND NOT EXISTS (
      SELECT FROM leaderboard_rewarded_players AS rewarded
      WHERE rewarded.game_id = entry.game_id AND rewarded.environment = entry.environment
        AND rewarded.player_id = entry.player_id AND rewarded.board_name = entry.board_name
        AND rewarded.season = entry.season AND rewarded.state = 'given')`);
  return [
    ...torn.map(({ name, sent }) => `${name}: ${sent} messages for one reward`),
    ...left_out.map(({ name }) => `${name}: no reward`),
  ];
}

/** Lets a server reward the ended seasons now, without the waits for late submits and for a killed server. */
async function beginRewards({ database, game_id, makeDue }: Scene): Promise<void> {
  await database.execute(sql`
    UPDATE leaderboard_reward_runs SET began_at = ${new Date(Date.now() - 60_000)}::timestamptz
    WHERE game_id = ${game_id} AND state = 'waiting'`);
  await makeDue(TASK);
}

async function waitForRewards(scene: Scene): Promise<boolean> {
  const { database, game_id } = scene;
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const open = await database.queryOne(sql`
      SELECT season FROM leaderboard_reward_runs
      WHERE game_id = ${game_id} AND state <> 'done' LIMIT 1`);
    if (open === null) return true;
    if (performance.now() > deadline) return false;
    await sleep(100);
    await beginRewards(scene);
  }
}
