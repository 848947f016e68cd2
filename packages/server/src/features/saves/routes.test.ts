import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { dataTextOf, makePlayer, makeSaveClient, pathOf } from './test/save-client.ts';
import type { SaveClient } from './test/save-client.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let server: TestServer;
let game: TestGame;
let key: string;
let saves: SaveClient;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  key = game.production_key;
  saves = makeSaveClient(server, game);
});
after(() => server.close());

describe('states and transitions', () => {
  test('a first PUT stores the save, and answers its version and updated_at', async () => {
    const player_id = makePlayer();
    const answer = await saves.put({ player_id, data: { level: 1 } });
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ['success', 'version', 'updated_at']);
    assert.equal(answer.body.success, true);
    assert.equal(answer.body.version, 1);
    assert.match(answer.body.updated_at, ISO_TIME);

    const loaded = await saves.get(player_id);
    assert.equal(loaded.status, 200);
    assert.deepEqual(loaded.body, {
      data: { level: 1 },
      version: 1,
      updated_at: answer.body.updated_at,
    });
  });

  test('a first PUT is stored, no matter which version it names', async () => {
    const answer = await saves.put({ player_id: makePlayer(), data: {}, version: 17 });
    assert.deepEqual([answer.status, answer.body.version], [200, 1]);
  });

  test('a later PUT without a version, or with the version of the server, is stored', async () => {
    const player_id = makePlayer();
    await saves.put({ player_id, data: { n: 1 } });
    assert.equal((await saves.put({ player_id, data: { n: 2 } })).body.version, 2);
    const third = await saves.put({ player_id, data: { n: 3 }, version: 2 });
    assert.deepEqual([third.status, third.body.version], [200, 3]);
    assert.deepEqual((await saves.get(player_id)).body.data, { n: 3 });
  });

  test('a PUT with another version is answered 409 with the save of the server, and changes nothing', async () => {
    const player_id = makePlayer();
    const text = '{ "n" : 1.0, "id":76561198000000001234 }';
    const { body: stored } = await saves.putText(player_id, text);
    for (const version of [0, 2, 99]) {
      const answer = await saves.put({ player_id, data: { n: 2 }, version });
      assert.equal(answer.status, 409);
      const { updated_at } = stored;
      assert.equal(
        answer.text,
        `{"error":"Version conflict","server_version":1,"server_data":${text},"updated_at":"${updated_at}"}`,
      );
    }
    assert.equal(dataTextOf(await saves.get(player_id)), text);
  });

  test('DELETE of a save is answered 204, and the save is gone', async () => {
    const player_id = makePlayer();
    await saves.put({ player_id, data: {} });
    const answer = await saves.remove(player_id);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.equal((await saves.get(player_id)).status, 404);
  });

  test('DELETE without a save is answered 404', async () => {
    const player_id = makePlayer();
    assert.equal((await saves.remove(player_id)).status, 404);
    await saves.put({ player_id, data: {} });
    await saves.remove(player_id);
    const answer = await saves.remove(player_id);
    assert.deepEqual([answer.status, answer.body], [404, { error: 'No save found' }]);
  });

  test('GET without a save is answered 404 `No save found`, with data null', async () => {
    const answer = await saves.get(makePlayer());
    assert.equal(answer.status, 404);
    assert.equal(answer.text, '{"error":"No save found","data":null}');
  });

  test('a PUT after a DELETE gets the next version number, no matter which version it names', async () => {
    const player_id = makePlayer();
    await saves.put({ player_id, data: { n: 1 } });
    await saves.put({ player_id, data: { n: 2 } });
    await saves.remove(player_id);
    const answer = await saves.put({ player_id, data: { n: 3 }, version: 1 });
    assert.deepEqual([answer.status, answer.body.version], [200, 3]);
    assert.equal((await saves.put({ player_id, data: {}, version: 1 })).status, 409);
  });

  test('the environments have separate saves', async () => {
    const player_id = makePlayer();
    await saves.put({ player_id, data: { from: 'production' } });
    const other = { key: game.development_key };
    assert.equal((await server.request('GET', pathOf(player_id), other)).status, 404);
    assert.equal((await server.request('DELETE', pathOf(player_id), other)).status, 404);
    assert.equal((await saves.get(player_id)).status, 200);
  });
});

describe('missing or invalid fields are answered 400, and nothing is stored', () => {
  const player_id = 'invalid';
  const cases: [unknown, string][] = [
    [{ data: {} }, 'player_id is required'],
    [{ player_id }, 'data is required'],
    [{ player_id: '', data: {} }, 'player_id must not be empty'],
    [{ player_id: 'x'.repeat(256), data: {} }, 'player_id must have at most 255 characters'],
    [{ player_id: 7, data: {} }, 'player_id must be a string'],
    [{ player_id: 'a\0b', data: {} }, 'player_id must not contain \\u0000'],
    [{ player_id, data: null }, 'data must be a JSON object'],
    [{ player_id, data: 'text' }, 'data must be a JSON object'],
    [{ player_id, data: [1] }, 'data must be a JSON object'],
    [{ player_id, data: {}, version: null }, 'version must be a whole number'],
    [{ player_id, data: {}, version: '1' }, 'version must be a whole number'],
    [{ player_id, data: {}, version: 1.5 }, 'version must be a whole number'],
    [{ player_id, data: {}, version: -1 }, 'version must be at least 0'],
    [`{"player_id":"${player_id}","data":{},"version":1e999}`, 'version is too large'],
    [`{"player_id":"\\ud800","data":{}}`, 'player_id must not contain lone surrogates'],
    [
      `{"player_id":"${player_id}","data":{},"x":${'['.repeat(64)}${']'.repeat(64)}}`,
      'The request body is nested deeper than 64 levels',
    ],
    ['[]', 'The request body must be a JSON object'],
    ['null', 'The request body must be a JSON object'],
    ['"data"', 'The request body must be a JSON object'],
    ['{"data":', 'The request body is not valid JSON'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'The request body is not valid UTF-8'],
  ];
  for (const [body, error] of cases) {
    test(error, async () => {
      const answer = await saves.put(body);
      assert.deepEqual([answer.status, answer.body], [400, { error }]);
      assert.equal((await saves.get(player_id)).status, 404);
    });
  }

  test('player_id of the query is missing or invalid', async () => {
    for (const method of ['GET', 'DELETE']) {
      const send = (query: string) => server.request(method, `/v1/saves${query}`, { key });
      assert.deepEqual((await send('')).body, { error: 'player_id is required' });
      assert.deepEqual((await send('?player_id=')).body, { error: 'player_id must not be empty' });
      assert.equal((await send(`?player_id=${'x'.repeat(256)}`)).status, 400);
      assert.equal((await send('?player_id=a%00b')).status, 400);
      assert.equal((await send('?player_id=a&player_id=b')).status, 400);
    }
  });
});

test('player ids may have 255 characters, with slashes, percent signs and emoji', async () => {
  for (const player_id of ['/%2F?&#/..', '%', '😀'.repeat(255), "'; DROP TABLE saves; --"]) {
    const data = { player_id };
    assert.equal((await saves.put({ player_id, data })).status, 200);
    assert.deepEqual((await saves.get(player_id)).body.data, data);
    assert.equal((await saves.remove(player_id)).status, 204);
  }
});

test('saves need an API key', async () => {
  for (const [method, path] of [
    ['PUT', '/v1/saves'],
    ['GET', '/v1/saves?player_id=a'],
    ['DELETE', '/v1/saves?player_id=a'],
  ] as const) {
    const answer = await server.request(method, path);
    assert.deepEqual(
      [answer.status, answer.body],
      [401, { error: 'Missing x-game-api-key header' }],
    );
  }
});
