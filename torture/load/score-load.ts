import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import type { Scene, Step, Workload } from './workload.ts';

interface Best {
  score: number | null;
  /** Scores that were sent, but may or may not be stored, because no answer came. */
  unknown: number[];
}

interface Entry {
  player_id: string;
  score: number;
  seq: number;
}

const BOARDS = ['daily run', 'all/time'];
const PLAYERS_OF_A_CLIENT = 10;
const PAGE = 100;

/** Submits scores to two boards that all clients share. Many of the scores are equal. */
export function createScoreLoad(random: Random): Workload {
  const bests = new Map<string, Best>();
  let submitted = 0;

  const check = async (scene: Scene, board: string): Promise<string[]> => {
    const { database, game_id } = scene;
    const entries = await database.query<Entry>(sql`
      SELECT player_id, score, seq FROM leaderboard_entries
      WHERE game_id = ${game_id} AND board_name = ${board}`);
    const problems: string[] = [];
    const stored = new Map(entries.map(({ player_id, score }) => [player_id, score]));
    for (const [name, { score: best, unknown }] of bests) {
      const [of_board, player_id] = JSON.parse(name) as [string, string];
      if (of_board !== board) continue;
      const score = stored.get(player_id) ?? null;
      const isRight =
        score === best || (score !== null && unknown.includes(score) && score > (best ?? -1));
      if (!isRight) problems.push(`${board}: ${player_id} has ${score}, and not ${best}`);
      bests.set(name, { score, unknown: [] });
      stored.delete(player_id);
    }
    for (const player_id of stored.keys()) problems.push(`${board}: nobody entered ${player_id}`);
    const naive = entries.toSorted((a, b) => b.score - a.score || a.seq - b.seq);
    if (new Set(entries.map(({ seq }) => seq)).size !== entries.length) {
      problems.push(`${board}: two entries have the same place in time`);
    }
    const ranked = await readBoard(scene, board);
    const ranks = naive.map(({ player_id, score }, index) => `${index + 1} ${player_id} ${score}`);
    if (ranked.join() !== ranks.join()) problems.push(`${board}: ranks are not a naive ranking's`);
    return problems;
  };

  return {
    name: 'scores',
    next(client): Step {
      const board_name = random.pick(BOARDS);
      const player_id = `b-${client}-${random.below(PLAYERS_OF_A_CLIENT)}`;
      // Scores rise, so most are better than the player's last one.
      const score = Math.floor(submitted++ / 20) + random.below(50);
      const name = JSON.stringify([board_name, player_id]);
      const best = bests.get(name) ?? { score: null, unknown: [] };
      bests.set(name, best);
      return {
        request: {
          method: 'POST',
          path: '/v1/leaderboards',
          body: JSON.stringify({ board_name, player_id, score, player_name: `Player ${client}` }),
        },
        onOutcome(answer) {
          if (answer === null) {
            best.unknown.push(score);
            return null;
          }
          const entry = JSON.parse(answer.body) as { score: number; updated: boolean };
          const { score: before, unknown } = best;
          best.score = Math.max(score, before ?? score, entry.score);
          if (entry.score === Math.max(score, before ?? score)) return null;
          if (unknown.includes(entry.score) && entry.score > score) return null;
          return `${name}: answered ${entry.score} to ${score} after ${before}`;
        },
      };
    },
    async check(scene) {
      const problems: string[] = [];
      for (const board of BOARDS) problems.push(...(await check(scene, board)));
      return problems;
    },
  };
}

/** Reads all entries page by page. Each entry is returned as the text `rank player score`. */
async function readBoard({ get }: Scene, board: string): Promise<string[]> {
  const read: string[] = [];
  const path = `/v1/leaderboards/${encodeURIComponent(board)}`;
  for (;;) {
    const { entries } = (await get(`${path}?limit=${PAGE}&offset=${read.length}`)) as {
      entries: { rank: number; player_id: string; score: number }[];
    };
    read.push(...entries.map(({ rank, player_id, score }) => `${rank} ${player_id} ${score}`));
    if (entries.length < PAGE) return read;
  }
}
