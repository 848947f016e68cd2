import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

const LIMIT = 65_536;

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
const identify = (body: unknown) => server.request('POST', '/v1/identify', { key, body });
const identifyText = (player_id: string, properties: string) =>
  identify(`{"player_id":${JSON.stringify(player_id)},"properties":${properties}}`);
const countPlayers = async () =>
  (await server.database.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM players WHERE game_id = ${game.game_id}`))!.count;

const fill = (name: string, bytes: number) => ({ [name]: 'x'.repeat(bytes) });
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('POST /v1/identify', () => {
  test('answers 200 with player_id and properties, and creates the player', async () => {
    const player_id = makePlayer();
    const answer = await identify({ player_id, properties: { level: 1 } });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { player_id, properties: { level: 1 } });
    const detail = await server.request('GET', `/v1/players/${player_id}`, { key });
    assert.deepEqual(detail.body.properties, { level: 1 });
  });

  test('the first_seen_at and the last_seen_at of a new player are equal', async () => {
    const { game_id, production_key } = await server.makeGame();
    const identifyNew = (_: unknown, number: number) =>
      server.request('POST', '/v1/identify', {
        key: production_key,
        body: { player_id: `p${number}`, properties: {} },
      });
    await Promise.all(Array.from({ length: 300 }, identifyNew));
    const counted = await server.database.ofGame(game_id).queryOne(sql`
      SELECT count(*) AS players, count(*) FILTER (WHERE first_seen_at = last_seen_at) AS once
      FROM players WHERE game_id = ${game_id}`);
    assert.deepEqual(counted, { players: 300, once: 300 });
  });

  test('sent properties replace stored ones, other stored properties stay, and null is stored as null', async () => {
    const player_id = makePlayer();
    await identify({ player_id, properties: { level: 1, bag: { gold: 5 }, name: 'Ada' } });
    const answer = await identify({
      player_id,
      properties: { bag: { gems: 2 }, name: null, vip: true },
    });
    assert.deepEqual(answer.body.properties, {
      level: 1,
      bag: { gems: 2 },
      name: null,
      vip: true,
    });
    assert.deepEqual(
      (await identify({ player_id, properties: {} })).body.properties,
      answer.body.properties,
    );
  });

  test('whole numbers over 2^53 and odd keys are stored as sent, and if a key repeats, only its last value is stored', async () => {
    const player_id = makePlayer();
    const sent = String.raw`{"id":76561198000000001234,"":1,"__proto__":{"x":1},"dup":1,"dup":2,"é\n":"\"","price":1.50}`;
    const { text } = await identifyText(player_id, sent);
    assert.match(text, /"id": ?76561198000000001234[,}]/);
    assert.match(text, /"price": ?1\.50[,}]/);
    const { properties } = JSON.parse(text);
    assert.deepEqual(Object.keys(properties).toSorted(), Object.keys(JSON.parse(sent)).toSorted());
    assert.deepEqual(Object.getOwnPropertyDescriptor(properties, '__proto__')!.value, { x: 1 });
    assert.equal(properties.dup, 2);
    const merged = await identifyText(player_id, '{"id":76561198000000005678}');
    assert.match(merged.text, /"id": ?76561198000000005678[,}]/);
  });

  test('if a key repeats, only its last number is stored, even if an earlier number is too large to store', async () => {
    const player_id = makePlayer();
    const { text } = await identifyText(player_id, '{"a":1e999,"a":1.50,"b":12345678901234567890}');
    assert.match(text, /"a": ?1\.50?[,}]/);
    assert.match(text, /"b": ?12345678901234567890[,}]/);
  });

  test('a value that cannot be stored is refused, even when a later duplicate key hides it', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    for (const hidden of ['"\\ud800"', '"\\u0000"', '{"\\udc00":1}', deep]) {
      const { status } = await identify(
        `{"player_id":"${makePlayer()}","properties":{"a":${hidden},"a":1}}`,
      );
      assert.equal(status, 400, hidden.slice(0, 20));
    }
  });

  test('of two members named `properties` the last one counts, even when its name is escaped', async () => {
    const player_id = makePlayer();
    const answer = await identify(
      `{"properties":{"a":1},"player_id":"${player_id}","propertie\\u0073":{"b":2}}`,
    );
    assert.deepEqual(answer.body.properties, { b: 2 });
  });

  test('properties that would exceed 64 KB after the merge are refused with 413, and change nothing', async () => {
    const player_id = makePlayer();
    const overhead = '{"a": ""}'.length;
    const full = await identify({ player_id, properties: fill('a', LIMIT - overhead) });
    assert.equal(full.status, 200);
    for (const properties of [fill('a', LIMIT - overhead + 1), { b: 1 }, fill('c', 100_000)]) {
      const answer = await identify({ player_id, properties });
      assert.deepEqual(
        [answer.status, answer.body],
        [413, { error: 'The properties of a player may have at most 65536 bytes' }],
      );
    }
    const now = await identify({ player_id, properties: {} });
    assert.deepEqual(Object.keys(now.body.properties), ['a']);

    const count = await countPlayers();
    assert.equal(
      (await identify({ player_id: makePlayer(), properties: fill('a', LIMIT) })).status,
      413,
    );
    assert.equal(await countPlayers(), count, 'a refused player is not made');
  });

  test('the environments have separate players', async () => {
    const player_id = makePlayer();
    await identify({ player_id, properties: { from: 'production' } });
    const answer = await server.request('POST', '/v1/identify', {
      key: game.development_key,
      body: { player_id, properties: { too: 1 } },
    });
    assert.deepEqual(answer.body.properties, { too: 1 });
  });

  const cases: [unknown, string][] = [
    [{ properties: {} }, 'player_id is required'],
    [{ player_id: 'invalid' }, 'properties is required'],
    [{ player_id: '', properties: {} }, 'player_id must not be empty'],
    [{ player_id: 7, properties: {} }, 'player_id must be a string'],
    [{ player_id: 'x'.repeat(256), properties: {} }, 'player_id must have at most 255 characters'],
    [{ player_id: 'invalid', properties: null }, 'properties must be a JSON object'],
    [{ player_id: 'invalid', properties: [] }, 'properties must be a JSON object'],
    [{ player_id: 'invalid', properties: '{}' }, 'properties must be a JSON object'],
    [
      { player_id: 'invalid', properties: { a: { b: 'x\0' } } },
      'properties.a.b must not contain \\u0000',
    ],
    [
      { player_id: 'invalid', properties: { '\0': 1 } },
      'A key in properties must not contain \\u0000',
    ],
    [
      '{"player_id":"invalid","properties":{"a":"\\ud800"}}',
      'properties.a must not contain lone surrogates',
    ],
    ['{"player_id":"invalid","properties":{"a":1e999}}', 'properties.a is too large'],
    [
      `{"player_id":"invalid","properties":{"a":${nested(63)}}}`,
      'The request body is nested deeper than 64 levels',
    ],
    ['null', 'The request body must be a JSON object'],
    ['[{}]', 'The request body must be a JSON object'],
  ];
  for (const [body, error] of cases) {
    test(`an invalid body is answered 400 "${error}"`, async () => {
      const count = await countPlayers();
      const answer = await identify(body);
      assert.deepEqual([answer.status, answer.body], [400, { error }]);
      assert.equal(await countPlayers(), count);
    });
  }

  test('64 levels of nesting, ids with slashes and percent signs, and texts with SQL are stored as sent', async () => {
    for (const player_id of ['/%2F?&#/..', '😀'.repeat(255), "'; DROP TABLE players; --"]) {
      const answer = await identifyText(player_id, `{"a":${nested(62)},"b":"<b>$1'"}`);
      assert.equal(answer.status, 200);
      const path = `/v1/players/${encodeURIComponent(player_id)}`;
      assert.equal((await server.request('GET', path, { key })).body.player_id, player_id);
    }
  });

  test('numbers with absurd exponents are stored as JavaScript reads them, and whole numbers beside them stay exact', async () => {
    const player_id = makePlayer();
    const tiny = Array.from({ length: 4_000 }, (_, index) => `"t${index}":1e-16000`).join(',');
    const answer = await identifyText(
      player_id,
      `{"id":76561198000000001234,"x":1e-20000,${tiny}}`,
    );
    assert.deepEqual([answer.status, answer.body.properties.x], [200, 0]);
    assert.match(answer.text, /"id": ?76561198000000001234[,}]/);
    assert.ok(answer.text.length < 60_000);
    const long = Array.from({ length: 400 }, (_, index) => `"t${index}":1e300`).join(',');
    assert.equal((await identifyText(makePlayer(), `{${long}}`)).status, 413);
  });
});

test('40 concurrent identify requests for one player are merged one by one, and each answer has the merged properties', async () => {
  const player_id = makePlayer();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      identify({ player_id, properties: { [`by_${index}`]: true, last: index } }),
    ),
  );
  answers.forEach(({ body }, index) => assert.equal(body.properties.last, index));
  const states = answers
    .map(({ body }) => body.properties as Record<string, unknown>)
    .toSorted((a, b) => Object.keys(a).length - Object.keys(b).length);
  states.forEach((state, index) => {
    assert.equal(Object.keys(state).length, index + 2);
    for (const name of Object.keys(states[index - 1] ?? {})) assert.ok(name in state);
  });
  const now = await identify({ player_id, properties: {} });
  assert.deepEqual(now.body.properties, states.at(-1));
});
