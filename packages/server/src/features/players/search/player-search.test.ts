import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { waitForIngest } from '../../../../test/inbox.ts';
import { startTestServer } from '../../../../test/harness.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { searchPlayers } from './player-search.ts';
import { makeGameWith } from '../test/game-with-players.ts';

let server: TestServer;
let game: TestGame;
let token: string;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  ({ token } = await server.makeAccount({ game_id: game.game_id, role: 'viewer' }));
});
after(() => server.close());

test('a player is listed with properties, tags and times', async () => {
  const player_id = 'a/b';
  const key = game.production_key;
  const body = `{"player_id":"${player_id}","properties":{"id":76561198000000001234}}`;
  await server.request('POST', '/v1/identify', { key, body });
  await server.request('POST', '/v1/players/a%2Fb/tags', { key, body: { tag: 'vip' } });
  const answer = await server.request('GET', `/v1/games/${game.game_id}/players`, { token });
  assert.equal(answer.status, 200);
  const [player] = answer.body.players;
  assert.deepEqual(Object.keys(player), [
    'player_id',
    'name',
    'properties',
    'tags',
    'first_seen_at',
    'last_seen_at',
  ]);
  assert.deepEqual([player.player_id, player.tags], [player_id, ['vip']]);
  assert.match(answer.text, /76561198000000001234/);
  const other = await server.request(
    'GET',
    `/v1/games/${game.game_id}/players?environment=development`,
    { token },
  );
  assert.deepEqual(other.body, { players: [], next_cursor: null });
});

test('players are sorted by last_seen_at, first_seen_at or player_id, without gaps or repeats', async () => {
  const players = Array.from({ length: 25 }, (_, index) => ({ id: `p${(index * 7) % 25}` }));
  const { game_id, list } = await makeGameWith(server, players);
  // Some players have the same time, so they are sorted by their ids.
  await server.database.execute(sql`
    UPDATE players SET last_seen_at = '2026-04-01', first_seen_at = '2026-02-01'
    WHERE game_id = ${game_id} AND player_id IN ('p3', 'p4', 'p5', 'p6', 'p7')`);
  const orders = {
    last_seen_at: 'last_seen_at DESC, player_id DESC',
    first_seen_at: 'first_seen_at DESC, player_id DESC',
    player_id: 'player_id',
  };
  for (const sort of Object.keys(orders) as (keyof typeof orders)[]) {
    const expected = await listIdsInOrder(game_id, orders[sort]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { players: { player_id: string }[]; next_cursor: string | null } } =
        await list({ sort, limit: '4', ...(cursor === null ? {} : { cursor }) });
      seen.push(...body.players.map(({ player_id }) => player_id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, expected);
  }
});

async function listIdsInOrder(game_id: string, order: string): Promise<string[]> {
  const client = await server.database.ofGame(game_id).connect();
  try {
    const { rows } = await client.query<{ player_id: string }>(
      `SELECT player_id FROM players WHERE game_id = $1 ORDER BY ${order}`,
      [game_id],
    );
    return rows.map(({ player_id }) => player_id);
  } finally {
    client.release();
  }
}

test('prefix finds the beginning of an id, and search finds any part with three characters', async () => {
  const { ids } = await makeGameWith(server, [
    { id: 'Ab_1' },
    { id: 'Abc' },
    { id: 'xAb%' },
    { id: 'z\\' },
  ]);
  assert.deepEqual(await ids({ prefix: 'Ab', sort: 'player_id' }), ['Ab_1', 'Abc']);
  assert.deepEqual(await ids({ prefix: 'Ab_' }), ['Ab_1']);
  assert.deepEqual(await ids({ prefix: '%' }), []);
  assert.deepEqual(await ids({ prefix: 'z\\' }), ['z\\']);
  assert.deepEqual(await ids({ prefix: 'ab' }), []);
  assert.deepEqual(await ids({ search: 'aB', sort: 'player_id' }), ['Ab_1', 'Abc']);
  assert.deepEqual(await ids({ search: 'Ab%' }), ['xAb%']);
  assert.deepEqual(await ids({ search: 'b_1' }), ['Ab_1']);
  assert.deepEqual(await ids({ search: '_' }), []);
  assert.deepEqual(await ids({ search: 'X', prefix: 'x' }), ['xAb%']);
});

test('tag finds players with this tag, or with all tags if there are several', async () => {
  const { ids, list } = await makeGameWith(server, [
    { id: 'a', tags: ['vip', 'beta'] },
    { id: 'b', tags: ['vip'] },
    { id: 'c' },
  ]);
  assert.deepEqual(await ids([['tag', ' VIP ']]), ['b', 'a']);
  assert.deepEqual(await ids([['tag', 'vip'], ['tag', 'beta']]), ['a']); // prettier-ignore
  assert.deepEqual(await ids([['tag', 'nobody']]), []);
  assert.deepEqual((await list([['tag', ' ']])).body, { error: 'tag must not be empty' });
  assert.equal((await list([['tag', 'x'.repeat(65)]])).status, 400);
  assert.equal((await list([['tag', 'ok'], ['tag', 'a\0']])).status, 400); // prettier-ignore
});

const filterOf = (value: string) => `filter=${encodeURIComponent(value)}`;
const oneFilter = (members: string) => filterOf(`[{"property":"v",${members}}]`);
const cursorOf = (value: unknown) =>
  `cursor=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

test('an invalid search answers 400 with the name of the parameter', async () => {
  const cases: [string, RegExp][] = [
    ['limit=0', /^limit must be/],
    ['limit=201', /^limit must be/],
    ['sort=level', /^sort must be one of/],
    ['environment=staging', /^environment must be one of/],
    ['prefix=', /^prefix must not be empty/],
    [`search=${'x'.repeat(256)}`, /^search must have at most 255/],
    ['search=%00', /^search must not contain/],
    [filterOf('{'), /^filter is not valid JSON$/],
    [filterOf('{}'), /^filter must be a list$/],
    [filterOf('[1]'), /^filter\[0\] must be a JSON object$/],
    [filterOf('[{"operator":"exists"}]'), /^filter\[0\]\.property is required$/],
    [oneFilter('"operator":"like","value":1'), /operator must be one of eq, /],
    [oneFilter('"operator":"eq"'), /^filter\[0\]\.value is required$/],
    [oneFilter('"operator":"eq","value":[1]'), /value must be a string or a number/],
    [
      oneFilter('"operator":"gt","value":true'),
      /^filter\[0\]\.value must be a number or a string with gt$/,
    ],
    [oneFilter('"operator":"gt"'), /^filter\[0\]\.value is required$/],
    [oneFilter('"operator":"exists","value":1'), /^filter\[0\]\.value is not allowed with exists$/],
    [oneFilter('"operator":"eq","value":"\\u0000"'), /must not contain \\u0000/],
    [oneFilter('"operator":"eq","value":1e999'), /is too large/],
    [filterOf(`[${'{"property":"v","operator":"exists"},'.repeat(20)}{"property":"v","operator":"exists"}]`), /at most 20/], // prettier-ignore
    ['cursor=x', /^cursor is not valid$/],
    [cursorOf(['player_id', '', 'a']), /^cursor is not valid$/],
    [cursorOf(['last_seen_at', 'yesterday', 'a']), /^cursor is not valid$/],
    [cursorOf(['last_seen_at', '2026-03-01 00:00:00+00']), /^cursor is not valid$/],
    [cursorOf(['last_seen_at', '2026-02-30 00:00:00+00', 'a']), /^cursor is not valid$/],
  ];
  for (const [query, error] of cases) {
    const path = `/v1/games/${game.game_id}/players?${query}`;
    const answer = await server.request('GET', path, { token });
    assert.equal(answer.status, 400, `${query}: ${answer.text}`);
    assert.match(answer.body.error, error, query);
  }
});

test('a search that takes too long is stopped and answers 503', async () => {
  const database = openTestDatabase(
    { url: server.database_url },
    { application_name: 'test', max_connections: 2 },
  );
  const { game_id } = await server.makeGame();
  const group = database.ofGame(game_id);
  const query = { limit: 50, sort: 'last_seen_at' as const };
  try {
    await group.transaction(async (tx) => {
      await tx.execute(sql`LOCK TABLE players IN ACCESS EXCLUSIVE MODE`);
      await assert.rejects(
        searchPlayers(group, { game_id, environment: 'production' }, query, 50),
        {
          status: 503,
          message:
            'The search took longer than 0.05 seconds: narrow it, or search by the beginning of the id',
        },
      );
    });
  } finally {
    await database.close();
  }
});

test('a search by an account outside the game answers 404', async () => {
  const stranger = await server.makeAccount();
  const answer = await server.request('GET', `/v1/games/${game.game_id}/players`, {
    token: stranger.token,
  });
  assert.deepEqual([answer.status, answer.body], [404, { error: 'Game not found' }]);
});

test('players are found by the time at which they were first named, and by what they lack', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token: member } = await server.makeAccount({ game_id, role: 'viewer' });
  const post = (path: string, body: Record<string, unknown>) =>
    server.request('POST', path, { key, body });
  const track = { event_name: 'start', session_id: 's' };
  await post('/v1/track', { ...track, player_id: 'by events' });
  await post('/v1/track', { ...track, player_id: 'by both' });
  await waitForIngest(server.database, game_id);
  await post('/v1/identify', { player_id: 'by both', properties: {} });
  await post('/v1/identify', { player_id: 'by calls', properties: {} });
  const login = { provider: 'device', device_id: randomUUID(), secret: 's'.repeat(43) };
  const { body } = await post('/v1/players/login', login);
  await server.database.execute(sql`
    UPDATE players SET first_seen_at = '2026-03-01T10:00:00Z'
    WHERE game_id = ${game_id} AND player_id = 'by both'`);
  const list = (query: string) =>
    server.request('GET', `/v1/games/${game_id}/players?sort=player_id&${query}`, {
      token: member,
    });
  const ids = async (query: string) =>
    (await list(query)).body.players.map(({ player_id }: { player_id: string }) => player_id);

  const logged_in = body.player_id;
  const everybody = ['by both', 'by calls', 'by events', logged_in].toSorted();
  assert.deepEqual(await ids('without=calls'), ['by events']);
  assert.deepEqual(await ids('without=events'), ['by calls', logged_in].toSorted());
  assert.deepEqual(await ids('without=login&with_total=true'), [
    'by both',
    'by calls',
    'by events',
  ]);
  assert.deepEqual(await ids('without=login&without=events'), ['by calls']);
  assert.deepEqual(await ids('without=login&without=events&search=by'), ['by calls']);
  assert.deepEqual(await ids('first_seen_before=2026-03-01T10:00:00.001Z'), ['by both']);
  assert.deepEqual(await ids('first_seen_before=2026-03-01T10:00:00Z'), []);
  assert.deepEqual(await ids('first_seen_from=2026-03-01T12:00:00%2B02:00'), everybody);
  for (const query of [
    'without=all',
    'first_seen_from=yesterday',
    'first_seen_before=1960-01-01T00:00:00Z',
    'first_seen_before=9999-12-31T23:00:00-02:00',
  ]) {
    const answer = await list(query);
    assert.equal(answer.status, 400, query);
    assert.match(answer.body.error, new RegExp(query.split('=')[0]!));
  }
});
