import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MAX_SAVE_BYTES } from '@overworld/contract/saves/limits';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
let game: TestGame;
let developer: string;
let viewer: string;
let player_id: string;
let players = 0;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  const { game_id } = game;
  developer = (await server.makeAccount({ game_id, role: 'developer' })).token;
  viewer = (await server.makeAccount({ game_id, role: 'viewer' })).token;
});
after(() => server.close());
beforeEach(() => {
  player_id = `a/b%${++players}`;
});

const put = (data: string, more = '') =>
  server.request('PUT', '/v1/saves', {
    key: game.production_key,
    body: `{"player_id":"${player_id}","data":${data}${more}}`,
  });
const pathOf = (query = '') =>
  `/v1/games/${game.game_id}/players/${encodeURIComponent(player_id)}/saves${query}`;
const edit = (body: unknown, query = '', token = developer) =>
  server.request('POST', pathOf(query), { token, body });
const load = (slot = 'main') =>
  server.request('GET', `/v1/saves?player_id=${encodeURIComponent(player_id)}&slot=${slot}`, {
    key: game.production_key,
  });
const listAudit = () =>
  server.database.query(sql`
    SELECT action, details FROM audit_log WHERE game_id = ${game.game_id} AND target = ${player_id}`);

test('an edit makes an audited version with the text that was sent, and the game loads it', async () => {
  await put('{"gold":1}');
  const text = String.raw`{ "id":76561198000000001234, "n": 1.0, "t":"ü\u0041" }`;
  const answer = await edit(`{"version":1,"data":${text}}`);
  assert.equal(answer.status, 201, answer.text);
  const { updated_at } = answer.body;
  const size_bytes = Buffer.byteLength(text);
  assert.deepEqual(answer.body, {
    version: 2,
    size_bytes,
    app_version: null,
    updated_at,
    is_current: true,
  });
  assert.equal((await load()).text, `{"data":${text},"version":2,"updated_at":"${updated_at}"}`);
  assert.deepEqual(await listAudit(), [
    {
      action: 'edit_save',
      details: { environment: 'production', slot: 'main', from_version: 1, version: 2 },
    },
  ]);
  const conflict = await put('{"gold":5}', ',"version":1');
  assert.deepEqual([conflict.status, conflict.body.server_version], [409, 2]);
});

test('an edit of a version that the game has replaced is a conflict, and changes nothing', async () => {
  await put('{"gold":1}');
  await put('{"gold":2}');
  const { status, body } = await edit({ version: 1, data: { gold: 9 } });
  assert.equal(status, 409);
  const { updated_at } = body;
  assert.deepEqual(body, {
    error: 'Version conflict',
    server_version: 2,
    server_data: { gold: 2 },
    updated_at,
    deleted_at: null,
  });
  assert.equal((await edit({ version: 3, data: {} })).status, 409, 'a version of the future');
  assert.deepEqual((await load()).body.data, { gold: 2 });
  assert.deepEqual(await listAudit(), []);
});

test('an edit of a deleted save is answered 409, and an edit of a slot without saves 404', async () => {
  await put('{"gold":1}');
  await server.request('DELETE', `/v1/saves?player_id=${encodeURIComponent(player_id)}`, {
    key: game.production_key,
  });
  const { status, body } = await edit({ version: 1, data: {} });
  assert.deepEqual([status, body.server_version], [409, 1]);
  assert.ok(Math.abs(Date.parse(body.deleted_at) - Date.now()) < 60_000);
  const absent = await edit({ version: 1, data: {} }, '?slot=other');
  assert.deepEqual([absent.status, absent.body], [404, { error: 'No save found' }]);
  assert.equal((await edit({ version: 1, data: {} }, '?environment=development')).status, 404);
  assert.equal((await load()).status, 404);
});

test('an edit of one slot leaves the other slots unchanged', async () => {
  await put('{"gold":1}');
  await put('{"gold":2}', ',"slot":"hard"');
  assert.equal((await edit({ version: 1, data: { gold: 3 } }, '?slot=hard')).status, 201);
  assert.deepEqual((await load('hard')).body.data, { gold: 3 });
  assert.deepEqual((await load()).body.data, { gold: 1 });
});

test('of many concurrent edits of one version, only one is stored', async () => {
  await put('{"gold":1}');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, gold) => edit({ version: 1, data: { gold } })),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
  assert.equal((await load()).body.version, 2);
});

test('a viewer may not edit, and members of other games see nothing', async () => {
  await put('{"gold":1}');
  const other = await server.makeGame();
  const stranger = (await server.makeAccount({ game_id: other.game_id })).token;
  const body = { version: 1, data: {} };
  assert.equal((await edit(body, '', viewer)).status, 403);
  assert.equal((await edit(body, '', stranger)).status, 404);
  player_id = 'nobody';
  const absent = await edit(body);
  assert.deepEqual([absent.status, absent.body.error], [404, 'Player not found']);
});

test('bad bodies are refused with the name of the field, and change nothing', async () => {
  await put('{"gold":1}');
  for (const [body, words] of [
    ['', /body/],
    ['{', /JSON/],
    ['[]', /object/],
    ['null', /object/],
    ['{"data":{}}', /version/],
    ['{"version":1}', /data/],
    ['{"version":null,"data":{}}', /version/],
    ['{"version":"1","data":{}}', /version/],
    ['{"version":0,"data":{}}', /version/],
    ['{"version":1.5,"data":{}}', /version/],
    ['{"version":1e999,"data":{}}', /version/],
    ['{"version":1,"data":[]}', /data/],
    ['{"version":1,"data":null}', /data/],
    ['{"version":1,"data":"{}"}', /data/],
    ['{"version":1,"data":{},"slot":"main"}', /slot/],
    [`{"version":1,"data":${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}}`, /data/],
  ] as const) {
    const answer = await edit(body);
    assert.equal(answer.status, 400, `${body.slice(0, 60)}: ${answer.text}`);
    assert.match(answer.body.error, words, body.slice(0, 60));
  }
  const large = await edit(`{"version":1,"data":{"a":"${'x'.repeat(MAX_SAVE_BYTES)}"}}`);
  assert.deepEqual([large.status, large.body.limit_bytes], [413, MAX_SAVE_BYTES]);
  assert.equal((await load()).body.version, 1);
  const strange = await edit('{"version":1,"data":{"__proto__":1,"a":1e999,"t":"\\u0000\\ud800"}}');
  assert.equal(strange.status, 201, 'all that a game may save');
});

test('a deleted save whose versions are gone cannot be edited, and the edit does not wait for ever', async () => {
  await put('{"gold":1}');
  await server.database.execute(sql`
    UPDATE saves SET deleted_at = now()
    WHERE game_id = ${game.game_id} AND player_id = ${player_id}`);
  await server.database.execute(sql`
    DELETE FROM save_versions WHERE game_id = ${game.game_id} AND player_id = ${player_id}`);
  const answer = await edit('{"version":1,"data":{"gold":2}}');
  assert.deepEqual([answer.status, answer.body.error], [404, 'No save found']);
});
