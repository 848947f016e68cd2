import { cloneDatabase } from '../../../../test/harness.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import { createLeaderboards } from '../leaderboards.ts';
import { makeSoleWorkerPool } from '../../../platform/workers/worker-pool.ts';
import type { Leaderboards } from '../leaderboards.ts';
import { EMPTY_POLICY } from '../rules.ts';
import type { BoardPolicy } from '../rules.ts';
import type { Settings } from '../seasons/settings-store.ts';
import type { BoardKey } from '../store.ts';
import type { Submit } from '../submits/decide-submits.ts';

export const MEGABYTE = 1024 * 1024;
export const clock = () => new Date();
const workerPool = makeSoleWorkerPool({ max_connections: 1 });

/** The settings of a board that nobody has changed. */
export const DEFAULT_SETTINGS: Settings & BoardPolicy = {
  ...EMPTY_POLICY,
  order: 'descending',
  reset_schedule: 'none',
  min_score: null,
  max_score: null,
  season_rewards: [],
  ledger_days: 30,
};

/** A database on which tests run the boards of any number of servers, without HTTP. */
export interface BoardDatabase {
  database: GroupedDatabase;
  /** Returns the key of a board in a new game. The board has no row yet. */
  makeBoard(): Promise<BoardKey>;
  makeServer(settings?: { hot?: GroupedDatabase; max_copy_bytes?: number }): Leaderboards;
  close(): Promise<void>;
}

export async function openBoardDatabase(): Promise<BoardDatabase> {
  const { url, drop } = await cloneDatabase();
  const options = { application_name: 'test', max_connections: 8, prepare: true };
  const database = openTestDatabase({ url }, options);
  return {
    database,
    async makeBoard() {
      const game = await database.queryOne<{ id: string }>(
        sql`INSERT INTO games (name, time_zone) VALUES ('Test', 'UTC') RETURNING id`,
      );
      return { game_id: game!.id, environment: 'production', board_name: 'b' };
    },
    makeServer: ({ hot = database, max_copy_bytes = MEGABYTE } = {}) =>
      createLeaderboards({ hot, database, clock, workerPool, max_copy_bytes }),
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** Returns a score without a name or metadata. */
export const scoreOf = (board: BoardKey, player_id: string, score: number): Submit => ({
  board,
  player_id,
  score,
  tie_value: null,
  once: null,
  player_name: null,
  metadata: null,
  sender: { key_id: board.game_id, is_server: false, is_verified: false, ip: '192.0.2.1' },
  limit_reached: null,
});

export const submit = (
  { scores }: Pick<Leaderboards, 'scores'>,
  board: BoardKey,
  player_id: string,
  score: number,
) => scores.submit(scoreOf(board, player_id, score));

/** Lists the entries by rank as texts `player score`. */
export async function listEntries(
  { pages }: Pick<Leaderboards, 'pages'>,
  board: BoardKey,
  season: number | null = null,
): Promise<string[]> {
  const text = await pages.read({ board, season, limit: 100, offset: 0, player_id: null });
  const { entries } = JSON.parse(text) as { entries: { player_id: string; score: number }[] };
  return entries.map(({ player_id, score }) => `${player_id} ${score}`);
}
