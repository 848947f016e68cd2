import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { daysAgo } from '../../../../test/past-day.ts';
import { joinIngest } from '../../../platform/ingest-lock.ts';
import { scanEvents } from '../scan/event-scan.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import { createKnownSessions } from '../scan/remembered.ts';
import { openExplorePool } from '../thread/explore-database.ts';
import type { ExplorePool } from '../thread/explore-database.ts';
import { runSeals } from './seal-run.ts';
import { insertPastEvents } from './test/sealed-game.ts';

let server: TestServer;
let pool: ExplorePool;
before(async () => {
  server = await startTestServer();
  pool = openExplorePool({
    connection: { url: server.database_url },
    group_count: server.database.groups.length,
    load: new Float64Array(new SharedArrayBuffer(8)),
  });
});
after(async () => {
  await pool.close();
  await server.close();
});

/** Of each player. */
const SESSIONS = 10;
const PLAYERS = 8;

/** Stores two days with the same sessions. Only the first of them can be sealed. */
async function startGame() {
  const { game_id } = await server.makeGame();
  for (const days of [3, 1]) {
    const events = ['start', 'end'].flatMap((event_name) =>
      Array.from({ length: SESSIONS * PLAYERS }, (_, index) => ({
        event_name,
        player_id: `p${index % PLAYERS}`,
        session_id: `s${index % SESSIONS}-${index}`,
      })),
    );
    await insertPastEvents(server, game_id, daysAgo(days), events);
  }
  const selection = {
    game_id,
    environment: 'production' as const,
    starts_at: `${daysAgo(20)}T00:00:00.000Z`,
    ends_at: `${daysAgo(-1)}T00:00:00.000Z`,
  };
  return { game_id, selection };
}

const sealAll = () =>
  runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 });

/**
 * Numbers the sessions of all events by two scans, as reports on paths do.
 * @param seal_at The list of sealed days before which the days are sealed.
 */
async function countSessions(seal_at: number) {
  const { game_id, selection } = await startGame();
  const database = pool.ofGame(game_id);
  let lists = 0;
  const sealing = {
    ...database,
    sealed: {
      ...database.sealed,
      list: async (...asked: Parameters<typeof database.sealed.list>) => {
        if (++lists === seal_at) await sealAll();
        return database.sealed.list(...asked);
      },
    },
  };
  const { numberOf } = createPlayerNumbers();
  const sessions = { numberOf, known: createKnownSessions() };
  const seen = new Map<string, Set<number>>();
  const { signal } = new AbortController();
  for (const name of ['start', 'end']) {
    const of_name = new Set<number>();
    const scan = {
      names: [name],
      columns: { sessions },
      onEvents: (read: { count: number; sessions: Int32Array }) => {
        for (const session of read.sessions.subarray(0, read.count)) of_name.add(session);
      },
    };
    await scanEvents(sealing, selection, [scan], signal);
    seen.set(name, of_name);
  }
  const counted = [...seen.values()].map((of_name) => of_name.size);
  const all = new Set([...seen.values()].flatMap((of_name) => [...of_name]));
  return { counted, all: all.size };
}

const COUNT = SESSIONS * PLAYERS;

for (const [seal_at, when] of [
  [1, 'when a report begins'],
  [2, 'between two scans of a report'],
] as const) {
  test(`a session keeps its number if the first days of a game are sealed ${when}`, async () => {
    const { counted, all } = await countSessions(seal_at);
    assert.deepEqual({ counted, all }, { counted: [COUNT, COUNT], all: COUNT });
  });
}
