import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STORY_KINDS } from '@overworld/contract/players/story-kinds';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { measureRows } from '../measured-rows.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { PlayerKey } from '../../src/platform/players/player-key.ts';
import { unlockStory } from '../../src/features/achievements/story.ts';
import { changeStory } from '../../src/features/audit-log/story.ts';
import { messageStory } from '../../src/features/messages/story.ts';
import { eventStory } from '../../src/features/events/story.ts';
import { scoreStory } from '../../src/features/leaderboards/entries/story.ts';
import { gameChangeStory } from '../../src/features/players/game-changes/story.ts';
import { loginStory } from '../../src/features/player-logins/story.ts';
import { saveStory } from '../../src/features/saves/versions/story.ts';
import { END_OF_TIME_US, readStory } from '../../src/features/players/story/story.ts';
import type { StoryPlace, StoryQuestion } from '../../src/features/players/story/story.ts';
import { countStory } from '../../src/features/players/story/story-totals.ts';

const ROWS = 45_000;
const SCANNED = 20_000;
const SOURCES = [
  changeStory,
  gameChangeStory,
  loginStory,
  scoreStory,
  unlockStory,
  messageStory,
  saveStory,
  eventStory,
];

let server: TestServer;
let player: PlayerKey;
before(async () => {
  server = await startTestServer();
  const { game_id } = await server.makeGame();
  player = { game_id, environment: 'production', player_id: 'p' };
  await server.database.execute(sql`
    INSERT INTO leaderboards (game_id, board_name, keeps_ledger) VALUES (${game_id}, 'b', true)`);
  // Only the current and later months have partitions.
  await server.database.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT n, now() + n * interval '1 ms', now(), 'production', ${game_id}, ${game_id}, 'e',
           CASE WHEN n <= 10 THEN 'first' ELSE 'other' END, 'p', '{}'
    FROM generate_series(1, ${ROWS}::integer) AS n`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place, season,
      score, outcome, submitted_at, key_id, is_verified, network)
    SELECT ${game_id}, 'production', 'p', 'b', extract(epoch FROM now()) * 1000000 + n, 1, 1, n, 'kept',
           now(), ${game_id}, false, '192.0.2.1'
    FROM generate_series(1, ${ROWS}::integer) AS n`);
  // These entries are about changes to other players of the same game.
  await server.database.execute(sql`
    INSERT INTO audit_log (game_id, action, target, details)
    SELECT ${game_id}, 'update_player', 'p' || n % 500, '{"environment":"production"}'
    FROM generate_series(1, ${ROWS}::integer) AS n`);
  await server.database.execute(sql`ANALYZE events, leaderboard_submits, audit_log`);
});
after(() => server.close());

async function readPage(more: Partial<StoryQuestion>) {
  const { measured: database, readRows } = measureRows(server.database.ofGame(player.game_id));
  const page = await readStory(database, SOURCES, player, {
    kinds: STORY_KINDS,
    after: null,
    before_us: END_OF_TIME_US,
    limit: 50,
    session: null,
    event_name: null,
    is_developer: true,
    ...more,
  });
  return { ...page, read: readRows() };
}

test("a page reads only a few hundred of the player's tens of thousands of rows, wherever it begins", async () => {
  const now_us = Date.now() * 1_000;
  for (const before_us of [END_OF_TIME_US, now_us + 20_000_000, now_us + 1_000]) {
    const { rows, next, read } = await readPage({ before_us });
    assert.equal(rows.length, 50);
    assert.ok(next !== null);
    assert.ok(read < 600, `${read} rows`);
  }
});

test('a search for the events of a session reads a part of the rows for each page, and ends', async () => {
  const starts = new Date(Date.now() - 60_000).toISOString();
  const ends = new Date(Date.now() + 60_000).toISOString();
  const session = { session_id: 'first', started_at: starts, last_event_at: ends, event_count: 10 };
  const found: number[] = [];
  let place: StoryPlace | null = null;
  do {
    const page = await readPage({ after: place, session, kinds: ['event'] });
    found.push(page.rows.length);
    assert.ok(page.read <= 2 * SCANNED + 200, `${page.read} rows`);
    place = page.next;
  } while (place !== null);
  assert.deepEqual(found, [0, 0, 10]);
});

test('a count stops at a thousand entries of each kind', async () => {
  const { measured, readRows } = measureRows(server.database.ofGame(player.game_id));
  const totals = await countStory(measured, SOURCES, player, true);
  const counts = totals.map(({ kind, count, is_exact }) => [kind, count, is_exact]);
  assert.deepEqual(counts, [
    ['change', 0, true],
    ['game_change', 0, true],
    ['login', 0, true],
    ['score', 1_000, false],
    ['unlock', 0, true],
    ['message', 0, true],
    ['save', 0, true],
    ['event', 1_000, false],
  ]);
  assert.ok(readRows() < 5_000, `${readRows()} rows`);
});
