import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import type { BenchServer } from './bench-server.ts';
import * as requests from './requests.ts';

/** One line of the table: what is asked of the server, after what preparation. */
export interface Line {
  name: string;
  /** Events in a request, say: the rate is given in these. */
  units_per_request?: number;
  /** Makes what the requests need; answers Lua for wrk and the size of a usual answer. */
  prepare: (server: BenchServer) => Promise<{ lua: string; answer_bytes: number }>;
  /** Lets what the line left behind come to rest before the next one. */
  settle?: (server: BenchServer) => Promise<void>;
}

const PLAYERS = 20_000;

async function post(
  server: BenchServer,
  key: string,
  path: string,
  body: unknown,
  method = 'POST',
) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'x-game-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** Waits until the inbox is empty, at most a minute. */
async function drainInbox(server: BenchServer): Promise<void> {
  for (let waited = 0; waited < 60; waited++) {
    const left = await server.database.queryOne<{ left: number }>(
      sql`SELECT count(*) AS left FROM event_inbox`,
    );
    if (left?.left === 0) return;
    await sleep(1_000);
  }
}

const trackLine = (events: number): Line => ({
  name: `track, ${events} ${events === 1 ? 'event' : 'events'} a request`,
  units_per_request: events,
  async prepare(server) {
    const { key } = await server.makeGame();
    return { lua: requests.trackRequest(key, events), answer_bytes: 62 };
  },
  settle: drainInbox,
});

const submitLine = (size: number): Line => ({
  name: `submit a score, ${size.toLocaleString('en-US')}-player board`,
  async prepare(server) {
    const { game_id, key } = await server.makeGame();
    await seedBoard(server, game_id, key, size);
    return { lua: requests.submitRequest(key, 'board', size), answer_bytes: 220 };
  },
});

/** Fills a board through the API's own rows, so that seeding a million takes seconds. */
async function seedBoard(server: BenchServer, game_id: string, key: string, size: number) {
  await post(server, key, '/v1/leaderboards', {
    board_name: 'board',
    player_id: 'first',
    score: 0,
  });
  const { seedBoardRows } = await import('./seed-board.ts');
  await seedBoardRows(server, game_id, size);
}

export const LINES: Line[] = [
  submitLine(2_000),
  submitLine(100_000),
  submitLine(1_000_000),
  {
    name: 'top 50 of a 100,000-player board',
    async prepare(server) {
      const { game_id, key } = await server.makeGame();
      await seedBoard(server, game_id, key, 100_000);
      return { lua: requests.pageRequest(key, 'board'), answer_bytes: 6_500 };
    },
  },
  {
    name: 'write a 1 KB save',
    async prepare(server) {
      const { key } = await server.makeGame();
      return { lua: requests.putSaveRequest(key, 1024, PLAYERS), answer_bytes: 72 };
    },
  },
  {
    name: 'read a 1 KB save',
    async prepare(server) {
      const { key } = await server.makeGame();
      for (let player = 1; player <= 500; player++) {
        const save = { player_id: `player-${player}`, data: { bag: 'x'.repeat(1_000) } };
        await post(server, key, '/v1/saves', save, 'PUT');
      }
      return { lua: requests.getSaveRequest(key, 500), answer_bytes: 1_100 };
    },
  },
  trackLine(1),
  trackLine(20),
  trackLine(100),
  {
    name: 'identify',
    async prepare(server) {
      const { key } = await server.makeGame();
      return { lua: requests.identifyRequest(key, PLAYERS), answer_bytes: 75 };
    },
  },
  {
    name: 'unlock an achievement',
    async prepare(server) {
      const { game_id, key } = await server.makeGame();
      await seedAchievements(server, game_id);
      return { lua: requests.unlockRequest(key, PLAYERS), answer_bytes: 170 };
    },
  },
  {
    name: "a player's achievements",
    async prepare(server) {
      const { game_id, key } = await server.makeGame();
      await seedAchievements(server, game_id);
      return { lua: requests.listAchievementsRequest(key, PLAYERS), answer_bytes: 1_600 };
    },
  },
  {
    name: 'remote config',
    async prepare(server) {
      const { key } = await server.makeGame();
      return { lua: requests.configRequest(key), answer_bytes: 30 };
    },
  },
];

async function seedAchievements(server: BenchServer, game_id: string) {
  await server.database.execute(sql`
    INSERT INTO achievements (game_id, key, name, description, points, position)
    SELECT ${game_id}, 'a' || n, 'Achievement ' || n, 'What to do for it', 10, n
    FROM generate_series(1, 10) AS n`);
}
