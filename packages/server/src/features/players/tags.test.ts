import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

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
const makePlayer = () => `a/b%25 ${++players}`;
const pathOf = (player_id: string) => `/v1/players/${encodeURIComponent(player_id)}`;
const add = (player_id: string, tag: unknown) =>
  server.request('POST', `${pathOf(player_id)}/tags`, { key, body: { tag } });
const remove = (player_id: string, tag: string) =>
  server.request('DELETE', `${pathOf(player_id)}/tags/${encodeURIComponent(tag)}`, { key });
const tagsOf = async (player_id: string) =>
  (await server.request('GET', pathOf(player_id), { key })).body.tags as string[];

describe('a tag of a player', () => {
  test('POST of a new tag stores it in lower case, and answers player_id and tags', async () => {
    const player_id = makePlayer();
    const answer = await add(player_id, '  VIP Åland ');
    assert.deepEqual([answer.status, answer.body], [200, { player_id, tags: ['vip åland'] }]);
    assert.deepEqual((await add(player_id, 'beta')).body.tags, ['vip åland', 'beta']);
    assert.deepEqual(await tagsOf(player_id), ['vip åland', 'beta']);
  });

  test('POST of a tag that the player has changes nothing', async () => {
    const player_id = makePlayer();
    await add(player_id, 'vip');
    const answer = await add(player_id, 'VIP');
    assert.deepEqual([answer.status, answer.body.tags], [200, ['vip']]);
  });

  test('DELETE of a tag is answered 204, and the tag in its path is trimmed and lowercased too', async () => {
    const player_id = makePlayer();
    await add(player_id, 'a/b%');
    await add(player_id, 'kept');
    const answer = await remove(player_id, ' A/B% ');
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.deepEqual(await tagsOf(player_id), ['kept']);
  });

  test('DELETE of a tag that the player lacks is answered 404, and creates no player', async () => {
    const player_id = makePlayer();
    const answer = await remove(player_id, 'vip');
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Tag not found' }]);
    assert.equal((await server.request('GET', pathOf(player_id), { key })).status, 404);
    await add(player_id, 'vip');
    assert.equal((await remove(player_id, 'vi')).status, 404);
  });
});

test('a tag has 1 to 64 characters', async () => {
  const player_id = makePlayer();
  const cases: [unknown, string][] = [
    [undefined, 'tag is required'],
    [null, 'tag must be a string'],
    [7, 'tag must be a string'],
    ['', 'tag must not be empty'],
    [' \n ', 'tag must not be empty'],
    ['😀'.repeat(65), 'tag must have at most 64 characters'],
    ['a\0', 'tag must not contain \\u0000'],
  ];
  for (const [tag, error] of cases) {
    const answer = await add(player_id, tag);
    assert.deepEqual([answer.status, answer.body], [400, { error }]);
  }
  assert.equal((await remove(player_id, 'x'.repeat(65))).status, 400);
  assert.equal((await remove(player_id, ' ')).status, 400);
  assert.equal((await server.request('GET', pathOf(player_id), { key })).status, 404);
  assert.equal((await add(player_id, '😀'.repeat(64))).status, 200);
});

test('a player can have 100 tags, and adding a tag that the player already has is no error', async () => {
  const player_id = makePlayer();
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) => add(player_id, `tag-${index}`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 100);
  const refused = answers.filter(({ status }) => status === 400);
  assert.equal(refused.length, 20);
  assert.deepEqual(refused[0]!.body, { error: 'A player may have at most 100 tags' });
  const tags = await tagsOf(player_id);
  assert.equal(new Set(tags).size, 100);
  assert.equal((await add(player_id, tags[0]!)).status, 200);
  await remove(player_id, tags[0]!);
  assert.equal((await add(player_id, 'one more')).status, 200);
});

test('of 20 concurrent removals of one tag, only one is answered 204', async () => {
  const player_id = makePlayer();
  await add(player_id, 'vip');
  const answers = await Promise.all(Array.from({ length: 20 }, () => remove(player_id, 'vip')));
  assert.equal(answers.filter(({ status }) => status === 204).length, 1);
  assert.equal(answers.filter(({ status }) => status === 404).length, 19);
});

test('tags and properties that are sent concurrently for one player are all kept', async () => {
  const player_id = makePlayer();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? add(player_id, `tag-${index}`)
        : server.request('POST', '/v1/identify', {
            key,
            body: { player_id, properties: { [`p${index}`]: index } },
          }),
    ),
  );
  const player = (await server.request('GET', pathOf(player_id), { key })).body;
  assert.equal(player.tags.length, 10);
  assert.equal(Object.keys(player.properties).length, 10);
});

test('environments have separate tags, and a request without a key is refused', async () => {
  const player_id = makePlayer();
  await add(player_id, 'vip');
  const other = await server.request('DELETE', `${pathOf(player_id)}/tags/vip`, {
    key: game.development_key,
  });
  assert.equal(other.status, 404);
  for (const [method, path] of [
    ['POST', '/tags'],
    ['DELETE', '/tags/vip'],
  ] as const) {
    const answer = await server.request(method, pathOf(player_id) + path, {
      body: method === 'POST' ? { tag: 'vip' } : undefined,
    });
    assert.deepEqual(answer.body, { error: 'Missing x-game-api-key header' });
  }
  const rows = await server.database.query(
    sql`SELECT environment, tags FROM players WHERE player_id = ${player_id}`,
  );
  assert.deepEqual(rows, [{ environment: 'production', tags: ['vip'] }]);
});
