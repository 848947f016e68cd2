import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { measureRows } from '../measured-rows.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { PlayerKey } from '../../src/platform/players/player-key.ts';
import { listSessions, listTimeline } from '../../src/features/events/event-store.ts';
import { getTraits, selectTraits } from '../../src/features/remote-config/store.ts';
import { EVENT_SOURCES } from '../../src/features/events/player-data.ts';
import { SCORE_SOURCES } from '../../src/features/leaderboards/player-data.ts';

const ROWS = 20_000;

let server: TestServer;
let player: PlayerKey;
before(async () => {
  server = await startTestServer();
  const { game_id } = await server.makeGame();
  player = { game_id, environment: 'production', player_id: 'p' };
  const group = server.database.ofGame(game_id);
  await group.execute(sql`
    INSERT INTO sessions (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
    SELECT ${game_id}, 'production', 'p', 's' || n, now() - n % 500 * interval '1 min', now(), 1
    FROM generate_series(1, ${ROWS}::integer) AS n`);
  await group.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT n, now() + n / 5000 * interval '1 s', now(), 'production', ${game_id}, ${game_id}, 'e', 's', 'p', '{}'
    FROM generate_series(1, ${ROWS}::integer) AS n`);
  const boards = sql`unnest(ARRAY['a', 'b']) AS board CROSS JOIN generate_series(1, 1250) AS n`;
  await group.execute(sql`
    INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place, season,
      score, outcome, submitted_at, key_id, is_verified, network)
    SELECT ${game_id}, 'production', 'p', board, n / 500, n % 500, 1, n, 'kept', now(), ${game_id}, false,
      '192.0.2.1'
    FROM ${boards}`);
  await group.execute(sql`
    INSERT INTO leaderboard_entries (game_id, environment, board_name, season, player_id, entry_number,
      score, seq, updated_at)
    SELECT ${game_id}, 'production', board, n, 'p', 1, n, 1, now()
    FROM ${boards}`);
  await group.execute(sql`ANALYZE sessions, events, leaderboard_submits, leaderboard_entries`);
});
after(() => server.close());

test('the newest sessions of a player are read without the others, even if many began at one moment', async () => {
  const { measured, readRows } = measureRows(server.database.ofGame(player.game_id));
  assert.equal((await listSessions(measured, player, 50)).length, 50);
  assert.ok(readRows() <= 100, `${readRows()} rows`);
});

test('a page of the timeline after a place reads only the page, even if many came at one moment', async () => {
  const group = server.database.ofGame(player.game_id);
  const { measured, readRows } = measureRows(group);
  const place = await group.queryOne<{ received: string; id: number }>(sql`
    SELECT received_at::text AS received, id FROM events
    WHERE game_id = ${player.game_id} AND id = 7000`);
  const page = { limit: 51, offset: 0, after: place };
  const events = await listTimeline(measured, player, page);
  assert.deepEqual([events.length, events[0]!.id], [51, 6_999]);
  assert.ok(readRows() <= 200, `${readRows()} rows`);
});

test('an export reads a player page by page, and has each row once', async () => {
  const { measured, readRows } = measureRows(server.database.ofGame(player.game_id));
  const sources = [...EVENT_SOURCES, ...SCORE_SOURCES];
  for (const { name, key, rows } of [
    { name: 'sessions', key: ['session_id'], rows: ROWS },
    { name: 'score_submits', key: ['board_name', 'score'], rows: 2_500 },
    { name: 'scores', key: ['board_name', 'season'], rows: 2_500 },
  ]) {
    const source = sources.find((each) => each.name === name)!;
    const exported = new Set<string>();
    let read_before = readRows();
    for await (const page of source.exportPlayer(measured, player) as AsyncGenerator<object[]>) {
      for (const row of page) {
        exported.add(key.map((column) => (row as Record<string, unknown>)[column]).join(' '));
      }
      assert.ok(readRows() - read_before <= 1_500, `${name}: ${readRows() - read_before} rows`);
      read_before = readRows();
    }
    assert.equal(exported.size, rows, name);
  }
});

test('the rules of a config read the large properties of a player once, however many names they look at', async () => {
  const group = server.database.ofGame(player.game_id);
  const names = Array.from({ length: 500 }, (_, n) => `property ${n}`);
  const values = names.map((name) => [name, randomBytes(32).toString('hex')]);
  const properties = Object.fromEntries(values);
  await group.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties)
    VALUES (${player.game_id}, 'production', 'p', ${JSON.stringify(properties)}::jsonb)`);
  const { measured, readBlocks } = measureRows(group);
  const traits = await getTraits(measured, player, { property_names: names, stat_keys: [] });
  assert.deepEqual(traits.properties, properties);
  assert.ok(readBlocks() <= 500, `${readBlocks()} blocks`);
});

test('the traits of a player are read without statistics, unless some are needed', async () => {
  const isChosen = sql`game_id = ${player.game_id} AND player_id = 'p'`;
  const readsStats = async (stat_keys: string[]) => {
    const statement = selectTraits({ property_names: ['level'], stat_keys }, isChosen);
    const group = server.database.ofGame(player.game_id);
    const plan = await group.query(sql`EXPLAIN (FORMAT JSON) ${statement}`);
    return JSON.stringify(plan).includes('player_stats');
  };
  assert.deepEqual([await readsStats([]), await readsStats(['wins'])], [false, true]);
});
