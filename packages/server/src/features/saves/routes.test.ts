import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';

const LIMIT = 102_400;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let server: TestServer;
let game: TestGame;
let key: string;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  key = game.production_key;
});
after(() => server.close());

let players = 0;
const makePlayer = () => `player-${++players}`;

const put = (body: unknown) => server.request('PUT', '/v1/saves', { key, body });
const pathOf = (player_id: string) => `/v1/saves?player_id=${encodeURIComponent(player_id)}`;
const get = (player_id: string) => server.request('GET', pathOf(player_id), { key });
const remove = (player_id: string) => server.request('DELETE', pathOf(player_id), { key });

/** Sends `data` as this text. */
const putText = (player_id: string, data: string, more = '') =>
  put(`{"player_id":${JSON.stringify(player_id)},"data":${data}${more}}`);
const dataTextOf = (answer: { text: string }) =>
  /^\{"data":(.*),"version":\d+,"updated_at":"[^"]+"\}$/s.exec(answer.text)![1];

/** An object of this many bytes. */
const dataOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;
/** An object of this many levels. */
const nest = (levels: number) => `{"a":${'['.repeat(levels - 1)}"]"${']'.repeat(levels - 1)}}`;

describe('states and transitions', () => {
  test('a first PUT stores the save, and answers its version and updated_at', async () => {
    const player_id = makePlayer();
    const answer = await put({ player_id, data: { level: 1 } });
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ['success', 'version', 'updated_at']);
    assert.equal(answer.body.success, true);
    assert.equal(answer.body.version, 1);
    assert.match(answer.body.updated_at, ISO_TIME);

    const loaded = await get(player_id);
    assert.equal(loaded.status, 200);
    assert.deepEqual(loaded.body, {
      data: { level: 1 },
      version: 1,
      updated_at: answer.body.updated_at,
    });
  });

  test('a first PUT is stored whatever version it names', async () => {
    const answer = await put({ player_id: makePlayer(), data: {}, version: 17 });
    assert.deepEqual([answer.status, answer.body.version], [200, 1]);
  });

  test('a later PUT without a version, or with the version of the server, is stored', async () => {
    const player_id = makePlayer();
    await put({ player_id, data: { n: 1 } });
    assert.equal((await put({ player_id, data: { n: 2 } })).body.version, 2);
    const third = await put({ player_id, data: { n: 3 }, version: 2 });
    assert.deepEqual([third.status, third.body.version], [200, 3]);
    assert.deepEqual((await get(player_id)).body.data, { n: 3 });
  });

  test('a PUT with another version is answered 409 with the save of the server, and changes nothing', async () => {
    const player_id = makePlayer();
    const text = '{ "n" : 1.0, "id":76561198000000001234 }';
    const { body: stored } = await putText(player_id, text);
    for (const version of [0, 2, 99]) {
      const answer = await put({ player_id, data: { n: 2 }, version });
      assert.equal(answer.status, 409);
      const { updated_at } = stored;
      assert.equal(
        answer.text,
        `{"error":"Version conflict","server_version":1,"server_data":${text},"updated_at":"${updated_at}"}`,
      );
    }
    assert.equal(dataTextOf(await get(player_id)), text);
  });

  test('DELETE of a save is answered 204, and the save is gone', async () => {
    const player_id = makePlayer();
    await put({ player_id, data: {} });
    const answer = await remove(player_id);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.equal((await get(player_id)).status, 404);
  });

  test('DELETE without a save is answered 404', async () => {
    const player_id = makePlayer();
    assert.equal((await remove(player_id)).status, 404);
    await put({ player_id, data: {} });
    await remove(player_id);
    const answer = await remove(player_id);
    assert.deepEqual([answer.status, answer.body], [404, { error: 'No save found' }]);
  });

  test('GET without a save is answered 404 `No save found`, with data null', async () => {
    const answer = await get(makePlayer());
    assert.equal(answer.status, 404);
    assert.equal(answer.text, '{"error":"No save found","data":null}');
  });

  test('after a DELETE versions go on from the last one, whatever version is sent', async () => {
    const player_id = makePlayer();
    await put({ player_id, data: { n: 1 } });
    await put({ player_id, data: { n: 2 } });
    await remove(player_id);
    const answer = await put({ player_id, data: { n: 3 }, version: 1 });
    assert.deepEqual([answer.status, answer.body.version], [200, 3]);
    assert.equal((await put({ player_id, data: {}, version: 1 })).status, 409);
  });

  test('the environments have separate saves', async () => {
    const player_id = makePlayer();
    await put({ player_id, data: { from: 'production' } });
    const other = { key: game.development_key };
    assert.equal((await server.request('GET', pathOf(player_id), other)).status, 404);
    assert.equal((await server.request('DELETE', pathOf(player_id), other)).status, 404);
    assert.equal((await get(player_id)).status, 200);
  });
});

describe('save data size: 102,400 bytes', () => {
  test('exactly the limit is stored, one byte more is 413 with size_bytes and limit_bytes', async () => {
    const player_id = makePlayer();
    assert.equal((await putText(player_id, dataOf(LIMIT))).status, 200);
    const answer = await putText(player_id, dataOf(LIMIT + 1));
    assert.equal(answer.status, 413);
    assert.deepEqual(answer.body, {
      error: 'Save data exceeds 100KB limit',
      size_bytes: LIMIT + 1,
      limit_bytes: LIMIT,
    });
    assert.equal((await get(player_id)).body.version, 1);
  });

  test('bytes count, not characters', async () => {
    const wide = `{"a":"${'é'.repeat(LIMIT / 2)}"}`;
    const answer = await putText(makePlayer(), wide);
    assert.deepEqual([answer.status, answer.body.size_bytes], [413, Buffer.byteLength(wide)]);
  });

  test('a body of almost 8 MB still gets the exact size', async () => {
    const answer = await putText(makePlayer(), dataOf(8_000_000));
    assert.deepEqual([answer.status, answer.body.size_bytes], [413, 8_000_000]);
    const beyond = await putText(makePlayer(), dataOf(9_000_000));
    assert.equal(beyond.status, 413);
    assert.equal(beyond.body.size_bytes, undefined);
  });

  test('more than 16 KB besides data is refused, and nothing is stored', async () => {
    const player_id = makePlayer();
    const members = Array.from({ length: 300_000 }, (_, index) => `,"${index}":0`).join('');
    const answer = await putText(player_id, '{}', members);
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { error: 'The request body may have at most 16 KB besides data' }],
    );
    assert.equal((await get(player_id)).status, 404);
  });

  test('a longer text is measured without whitespace and escapes, and comes back unchanged', async () => {
    const player_id = makePlayer();
    const spaced = `{ ${' '.repeat(LIMIT)} "a" : "\\u0041" }`;
    assert.equal((await putText(player_id, spaced)).status, 200);
    assert.equal(dataTextOf(await get(player_id)), spaced);
    const escaped = `{"a":"${'\\u0041'.repeat(LIMIT)}"}`;
    const answer = await putText(player_id, escaped);
    assert.deepEqual([answer.status, answer.body.size_bytes], [413, LIMIT + '{"a":""}'.length]);
  });

  test('the size is refused before any other mistake', async () => {
    const answer = await put(`{"data":${dataOf(LIMIT + 1)}}`);
    assert.equal(answer.status, 413);
  });
});

describe('data comes back byte for byte', () => {
  const texts = [
    String.raw`{"id":76561198000000001234,"a":1.0,"big":1e400,"t":"\u0000\ud800","dup":1,"dup":2}`,
    '{}',
    '{ "a" :\t[ 1 ,\r\n2 ] }',
    '{"":{"":[]},"__proto__":{"x":1},"constructor":null,"toString":-0.0E-0}',
    String.raw`{"quote":"\"}{\\","slash":"\/","data":"\\\\","é\u00e9":"\ud83d\ude00😀"}`,
    '{"html":"<script>alert(1)</script>","sql":"\'; DROP TABLE players; --","nul":"$1 %00"}',
  ];
  for (const text of texts) {
    test(text, async () => {
      const player_id = makePlayer();
      assert.equal((await putText(player_id, text)).status, 200);
      assert.equal(dataTextOf(await get(player_id)), text);
      const conflict = await putText(player_id, '{}', ',"version":9');
      assert.ok(conflict.text.includes(`"server_data":${text},"updated_at"`));
    });
  }

  test('the last of two members `data` counts, also with an escaped name', async () => {
    const player_id = makePlayer();
    await put(`{"data":{"n":1},"player_id":"${player_id}","d\\u0061ta" : {"n": 2} ,"datum":{}}`);
    assert.equal(dataTextOf(await get(player_id)), '{"n": 2}');
  });

  test('nested 1,000 levels deep; deeper is 400', async () => {
    const player_id = makePlayer();
    assert.equal((await putText(player_id, nest(1_000))).status, 200);
    assert.equal(dataTextOf(await get(player_id)), nest(1_000));
    for (const levels of [1_001, 40_000]) {
      const answer = await putText(player_id, nest(levels).replace('"]"', ''));
      assert.deepEqual(
        [answer.status, answer.body],
        [400, { error: 'data is nested deeper than 1000 levels' }],
      );
    }
    assert.equal((await get(player_id)).body.version, 1);
  });
});

describe('400: missing or invalid fields, nothing stored', () => {
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
      const answer = await put(body);
      assert.deepEqual([answer.status, answer.body], [400, { error }]);
      assert.equal((await get(player_id)).status, 404);
    });
  }

  test('player_id of the query', async () => {
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
    assert.equal((await put({ player_id, data })).status, 200);
    assert.deepEqual((await get(player_id)).body.data, data);
    assert.equal((await remove(player_id)).status, 204);
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
