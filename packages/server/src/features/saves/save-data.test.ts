import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { dataTextOf, makePlayer, makeSaveClient } from './test/save-client.ts';
import type { SaveClient } from './test/save-client.ts';

const LIMIT = 102_400;

let server: TestServer;
let saves: SaveClient;
before(async () => {
  server = await startTestServer();
  saves = makeSaveClient(server, await server.makeGame());
});
after(() => server.close());

/** Makes the text of an object with this many bytes. */
const dataOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;
/** Makes the text of an object that is nested this many levels deep. */
const nest = (levels: number) => `{"a":${'['.repeat(levels - 1)}"]"${']'.repeat(levels - 1)}}`;

describe('save data may have at most 102,400 bytes', () => {
  test('data of the maximum size is stored, and larger data is answered 413 with its size', async () => {
    const player_id = makePlayer();
    assert.equal((await saves.putText(player_id, dataOf(LIMIT))).status, 200);
    const answer = await saves.putText(player_id, dataOf(LIMIT + 1));
    assert.equal(answer.status, 413);
    assert.deepEqual(answer.body, {
      error: 'Save data exceeds 100KB limit',
      size_bytes: LIMIT + 1,
      limit_bytes: LIMIT,
    });
    assert.equal((await saves.get(player_id)).body.version, 1);
  });

  test('the size is counted in bytes, not in characters', async () => {
    const wide = `{"a":"${'é'.repeat(LIMIT / 2)}"}`;
    const answer = await saves.putText(makePlayer(), wide);
    assert.deepEqual([answer.status, answer.body.size_bytes], [413, Buffer.byteLength(wide)]);
  });

  test('the answer 413 has the exact size of `data` if it has at most 8 MB, and otherwise no size', async () => {
    const answer = await saves.putText(makePlayer(), dataOf(8_000_000));
    assert.deepEqual([answer.status, answer.body.size_bytes], [413, 8_000_000]);
    const beyond = await saves.putText(makePlayer(), dataOf(9_000_000));
    assert.equal(beyond.status, 413);
    assert.equal(beyond.body.size_bytes, undefined);
  });

  test('a body with more than 16 KB in members other than data is refused', async () => {
    const player_id = makePlayer();
    const members = Array.from({ length: 300_000 }, (_, index) => `,"${index}":0`).join('');
    const answer = await saves.putText(player_id, '{}', members);
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { error: 'The request body may have at most 16 KB besides data' }],
    );
    assert.equal((await saves.get(player_id)).status, 404);
  });

  test('whitespace and escapes do not add to the size of data, and are returned unchanged', async () => {
    const player_id = makePlayer();
    const spaced = `{ ${' '.repeat(LIMIT)} "a" : "\\u0041" }`;
    assert.equal((await saves.putText(player_id, spaced)).status, 200);
    assert.equal(dataTextOf(await saves.get(player_id)), spaced);
    const escaped = `{"a":"${'\\u0041'.repeat(LIMIT)}"}`;
    const answer = await saves.putText(player_id, escaped);
    assert.deepEqual([answer.status, answer.body.size_bytes], [413, LIMIT + '{"a":""}'.length]);
  });

  test('data that is too large is answered 413 even if the request has another mistake', async () => {
    const answer = await saves.put(`{"data":${dataOf(LIMIT + 1)}}`);
    assert.equal(answer.status, 413);
  });
});

describe('data is returned byte for byte', () => {
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
      assert.equal((await saves.putText(player_id, text)).status, 200);
      assert.equal(dataTextOf(await saves.get(player_id)), text);
      const conflict = await saves.putText(player_id, '{}', ',"version":9');
      assert.ok(conflict.text.includes(`"server_data":${text},"updated_at"`));
    });
  }

  test('of two members named `data` in a body, the last counts, even if its name has escapes', async () => {
    const player_id = makePlayer();
    await saves.put(
      `{"data":{"n":1},"player_id":"${player_id}","d\\u0061ta" : {"n": 2} ,"datum":{}}`,
    );
    assert.equal(dataTextOf(await saves.get(player_id)), '{"n": 2}');
  });

  test('data may be nested 1,000 levels deep, and deeper data is answered 400', async () => {
    const player_id = makePlayer();
    assert.equal((await saves.putText(player_id, nest(1_000))).status, 200);
    assert.equal(dataTextOf(await saves.get(player_id)), nest(1_000));
    for (const levels of [1_001, 40_000]) {
      const answer = await saves.putText(player_id, nest(levels).replace('"]"', ''));
      assert.deepEqual(
        [answer.status, answer.body],
        [400, { error: 'data is nested deeper than 1000 levels' }],
      );
    }
    assert.equal((await saves.get(player_id)).body.version, 1);
  });
});
