import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { sql } from '../../../platform/database/sql.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';

let server: TestServer;
let game: TestGame;
let viewer: string;
let developer: string;
let player_id: string;
let players = 0;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  const { game_id } = game;
  viewer = (await server.makeAccount({ game_id, role: 'viewer' })).token;
  developer = (await server.makeAccount({ game_id, role: 'developer' })).token;
});
after(() => server.close());
beforeEach(() => {
  player_id = `a/b%${++players}`;
});

const put = (data: string) =>
  server.request('PUT', '/v1/saves', {
    key: game.production_key,
    body: `{"player_id":"${player_id}","data":${data}}`,
  });
const remove = () =>
  server.request('DELETE', `/v1/saves?player_id=${encodeURIComponent(player_id)}`, {
    key: game.production_key,
  });
const versions = (more = '', token = viewer) =>
  server.request(
    'GET',
    `/v1/games/${game.game_id}/players/${encodeURIComponent(player_id)}/saves${more}`,
    { token },
  );
const restore = (version: number, token = developer) =>
  server.request(
    'POST',
    `/v1/games/${game.game_id}/players/${encodeURIComponent(player_id)}/saves/${version}/restore`,
    { token },
  );
const findPlayer = () =>
  server.database
    .ofGame(game.game_id)
    .queryOne(sql`SELECT tags FROM players WHERE player_id = ${player_id}`);
const numbers = (answer: { body: { saves: { version: number }[] } }) =>
  answer.body.saves.map(({ version }) => version);

test('the last 10 versions are listed, the newest first, and the newest is the current one', async () => {
  for (let n = 1; n <= 12; n++) await put(`{"n":${n}}`);
  const answer = await versions();
  assert.equal(answer.status, 200);
  assert.deepEqual(numbers(answer), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  const [newest, older] = answer.body.saves;
  assert.deepEqual([newest.is_current, newest.size_bytes], [true, '{"n":12}'.length]);
  assert.deepEqual([older.is_current, older.size_bytes], [false, '{"n":11}'.length]);
  assert.deepEqual([answer.body.deleted_at, answer.body.next_cursor], [null, null]);

  const rows = await server.database
    .ofGame(game.game_id)
    .query(sql`SELECT FROM save_versions WHERE player_id = ${player_id}`);
  assert.equal(rows.length, 10, 'older ones are deleted');
});

test('a version is returned as it was sent, or 404 when it is no longer kept', async () => {
  const text = String.raw`{ "id":76561198000000001234,"t":"\u0000\ud800" }`;
  await put(text);
  for (let n = 2; n <= 10; n++) await put('{}');
  const first = await versions('/1');
  assert.equal(first.status, 200);
  const { updated_at } = first.body;
  assert.equal(first.text, `{"data":${text},"version":1,"updated_at":"${updated_at}"}`);
  await put('{}');
  for (const version of [1, 12, 9_007_199_254_740_991]) {
    const answer = await versions(`/${version}`);
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Save version not found' }]);
  }
  for (const version of ['0', '-1', 'x', '1.5', '9007199254740992']) {
    assert.equal((await versions(`/${version}`)).status, 400);
  }
});

test('after a DELETE the versions stay, no version is current, and no version is added', async () => {
  for (let n = 1; n <= 12; n++) {
    await put(`{"n":${n}}`);
    await remove();
  }
  const answer = await versions();
  assert.deepEqual(numbers(answer), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  assert.ok(answer.body.saves.every(({ is_current }: { is_current: boolean }) => !is_current));
  assert.ok(answer.body.deleted_at >= answer.body.saves[0].updated_at);
  assert.deepEqual((await versions('/3')).body.data, { n: 3 });
  assert.equal((await versions('/2')).status, 404);
});

test('restoring makes a new version with the old text, even of a deleted save, and is audited', async () => {
  const text = '{ "n" : 1.0 }';
  await put(text);
  await put('{"n":2}');
  await remove();
  const answer = await restore(1);
  assert.equal(answer.status, 201);
  const { updated_at } = answer.body;
  assert.deepEqual(answer.body, {
    version: 3,
    size_bytes: 13,
    app_version: null,
    updated_at,
    is_current: true,
  });
  const loaded = await server.request(
    'GET',
    `/v1/saves?player_id=${encodeURIComponent(player_id)}`,
    { key: game.production_key },
  );
  assert.equal(loaded.text, `{"data":${text},"version":3,"updated_at":"${updated_at}"}`);
  assert.deepEqual(numbers(await versions()), [3, 2, 1]);

  const entry = await server.database.queryOne<{ action: string; details: unknown }>(sql`
    SELECT action, details FROM audit_log WHERE game_id = ${game.game_id} AND target = ${player_id}`);
  assert.deepEqual(entry, {
    action: 'restore_save_version',
    details: { environment: 'production', slot: 'main', from_version: 1, version: 3 },
  });
  assert.equal((await restore(99)).status, 404);
});

test('concurrent restores and saves each get a version of their own', async () => {
  await put('{"from":"start"}');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? restore(1) : put('{"from":"game"}'))),
  );
  const given = answers.map(({ status, body }) => {
    assert.ok(status === 200 || status === 201 || status === 404);
    return body.version as number | undefined;
  });
  // Once ten newer versions exist, version 1 is no longer kept, and a restore of it is answered 404.
  const stored = given.filter((version) => version !== undefined).toSorted((a, b) => a - b);
  assert.deepEqual(
    stored,
    stored.map((_, index) => index + 2),
  );
  assert.ok(answers.filter(({ status }) => status === 200).length === 10);
});

test('a player without saves has an empty list, and an unknown player is answered 404', async () => {
  const unknown = await versions();
  assert.deepEqual([unknown.status, unknown.body], [404, { error: 'Player not found' }]);
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    VALUES (${game.game_id}, 'production', ${player_id})`);
  const answer = await versions();
  assert.deepEqual(answer.body, { saves: [], deleted_at: null, next_cursor: null });
});

test('game, player and version come from the path, and the environment from the query', async () => {
  await put('{"n":1}');
  const other = await server.makeGame();
  const query = `?environment=production&game_id=${other.game_id}&player_id=x&version=7`;
  assert.deepEqual(numbers(await versions(query)), [1]);
  assert.equal((await versions(`/1${query}`)).body.version, 1);
  assert.equal((await versions('?environment=development')).status, 404);
  assert.equal((await versions('/1?environment=development')).status, 404);
});

test('a restoration that is in a deadlock with an erasure is retried and succeeds', async () => {
  await put('{"n":1}');
  const meetErasure = () =>
    server.database.ofGame(game.game_id).transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM players WHERE player_id = ${player_id} FOR UPDATE`);
      const restored = restore(1);
      await waitForLock(server.database);
      // The restoration has waited for longer, so PostgreSQL ends its transaction.
      await tx.execute(sql`SELECT FROM saves WHERE player_id = ${player_id} FOR UPDATE`);
      return { restored };
    });
  // If this process stood still for a second, PostgreSQL may end the other transaction instead.
  const { restored } = await retryDeadlocks(meetErasure);
  assert.equal((await restored).status, 201);
});

test('viewers may read versions, developers may restore them, and strangers find nothing', async () => {
  await put('{}');
  assert.equal((await restore(1, viewer)).status, 403);
  const { token } = await server.makeAccount();
  assert.deepEqual((await versions('', token)).body, { error: 'Game not found' });
  assert.equal((await versions('/1', token)).status, 404);
  assert.equal((await restore(1, token)).status, 404);
  assert.deepEqual(numbers(await versions()), [1]);
});

test('the first save of a player creates the player', async () => {
  await put('{"too":"deep"}'.replace('"deep"', '['.repeat(1_001) + ']'.repeat(1_001)));
  await remove();
  assert.equal(await findPlayer(), null);
  await put('{}');
  assert.deepEqual(await findPlayer(), { tags: [] });
});
