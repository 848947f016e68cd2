import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { measureGames } from './game-sizes.ts';
import { measureTables } from './table-sizes.ts';

let server: TestServer;
/** Games with so many thousands of players, and as many events on record. */
const games = new Map<number, TestGame>();
before(async () => {
  server = await startTestServer();
  for (const thousands of [1, 3, 2]) {
    const game = await server.makeGame();
    const { game_id } = game;
    games.set(thousands, game);
    await server.database.ofGame(game_id).execute(sql`
      INSERT INTO players (game_id, environment, player_id, properties, counted_at)
      SELECT ${game_id}, 'production', md5(number::text), '{}', now()
      FROM generate_series(1, ${thousands * 1_000}) AS number`);
    await server.database.ofGame(game_id).execute(sql`
      INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
      SELECT ${game_id}, (date_trunc('month', now() AT TIME ZONE 'UTC') - months * interval '1 month')::date,
             ${thousands}, 1, 100000
      FROM unnest('{0, 1, 9}'::integer[]) AS months`);
  }
});
after(() => server.close());

const find = <T extends { name: string }>(all: readonly T[], name: string): T =>
  all.find((one) => one.name === name)!;

/** Lets PostgreSQL estimate the rows. */
async function analyze() {
  for (const group of server.database.groups) await group.execute(sql`ANALYZE players`);
}

test('tables have the sizes of all groups and partitions together, the largest first', async () => {
  await analyze();
  const { tables, unreachable_nodes } = await measureTables(server.database);
  assert.deepEqual(unreachable_nodes, []);
  const names = tables.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of ['events', 'players', 'games', 'installation']) {
    assert.ok(names.includes(name), `${name} of ${names.join(' ')}`);
  }
  assert.deepEqual(
    names.filter((name) => /\d$/.test(name)),
    [],
    'months and shards are no tables',
  );
  const sizes = tables.map(({ bytes }) => bytes);
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  );
  assert.ok(tables.every(({ bytes, index_bytes }) => bytes >= index_bytes && index_bytes >= 0));
  const players = find(tables, 'players');
  assert.ok(players.bytes > 6_000 * 100, String(players.bytes));
  assert.ok(Math.abs(players.row_count - 6_000) < 200, `${players.row_count} players`);
  assert.ok(find(tables, 'games').row_count < 100);
});

test('the largest games come first, with their counts and their part of the tables', async () => {
  const players = { name: 'players', bytes: 60_000, index_bytes: 0, row_count: 0 };
  const events = { name: 'events', bytes: 1_200, index_bytes: 0, row_count: 0 };
  const older = games.get(3)!.game_id;
  // The months before this one were dropped for the largest game.
  await server.database.execute(sql`
    UPDATE games SET events_kept_since = date_trunc('month', now()) WHERE id = ${older}`);
  const measured = await measureGames(server.database, [players, events], false);
  const counted = measured.map(({ name, event_count, player_count, save_bytes, ...rest }) => ({
    name,
    event_count,
    player_count,
    save_bytes,
    estimated_bytes: rest.estimated_bytes,
  }));
  // Twelve events of all games take 1,200 bytes, and 6,000 players 60,000.
  const game = { name: 'Test game', save_bytes: 0 };
  assert.deepEqual(counted, [
    { ...game, event_count: 3, player_count: 3_000, estimated_bytes: 30_300 },
    { ...game, event_count: 6, player_count: 2_000, estimated_bytes: 20_600 },
    { ...game, event_count: 3, player_count: 1_000, estimated_bytes: 10_300 },
  ]);
  assert.deepEqual(
    measured.map(({ id }) => id),
    [3, 2, 1].map((thousands) => games.get(thousands)!.game_id),
  );
});

test('administrators read the sizes, which are measured once a minute', async () => {
  const { token } = await server.makeAccount({ is_administrator: true });
  const read = () => server.request('GET', '/v1/admin/sizes', { token });
  const first = await read();
  assert.equal(first.status, 200);
  assert.equal(first.body.games.length, 3);
  assert.ok(Date.now() - Date.parse(first.body.measured_at) < 60_000);
  const { token: other } = await server.makeAccount();
  const refused = await server.request('GET', '/v1/admin/sizes', { token: other });
  assert.equal(refused.status, 403);
});

test(
  'without a node of the cluster the sizes of the others are there, with its name',
  { skip: !process.env.OVERWORLD_TEST_WORKER_URLS && 'runs in npm run test:cluster' },
  async () => {
    const { database } = server;
    const whole = await measureTables(database);
    await database.execute(sql`
      UPDATE pg_dist_node SET nodeport = 1
      WHERE nodeid = (SELECT max(nodeid) FROM pg_dist_node WHERE noderole = 'primary')`);
    const { tables, unreachable_nodes } = await measureTables(database);
    assert.deepEqual(unreachable_nodes, ['127.0.0.1:1']);
    assert.ok(find(tables, 'events').bytes < find(whole.tables, 'events').bytes);
    assert.equal(find(tables, 'games').row_count, find(whole.tables, 'games').row_count);
    await measureGames(database, tables, true);
  },
);
