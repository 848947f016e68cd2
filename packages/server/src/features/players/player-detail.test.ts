import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { IS_SPREAD } from '../../../test/test-database.ts';

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
const makePlayer = () => `a/b%25 ${++players}`;
const pathOf = (player_id: string, more = '') =>
  `/v1/players/${encodeURIComponent(player_id)}${more}`;
const get = (path: string, credentials: { key?: string; token?: string } = { key }) =>
  server.request('GET', path, credentials);
const identify = (player_id: string, properties: object, api_key = key) =>
  server.request('POST', '/v1/identify', { key: api_key, body: { player_id, properties } });
const track = async (events: object | object[], api_key = key) => {
  await server.request('POST', '/v1/track', { key: api_key, body: events });
  // On a cluster with busy nodes, ingest may take longer than a read waits for it.
  if (IS_SPREAD) await waitForIngest(server.database, game.game_id);
};

describe('GET /v1/players/{player_id}', () => {
  test('shows properties, tags and sessions, also those of events acknowledged just before', async () => {
    const player_id = makePlayer();
    await server.request('POST', pathOf(player_id, '/tags'), { key, body: { tag: 'VIP' } });
    await identify(player_id, { level: 3 });
    await track(
      ['s1', 's2', 's2'].map((session_id) => ({ event_name: 'e', session_id, player_id })),
    );
    const answer = await get(pathOf(player_id));
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), [
      'player_id',
      'properties',
      'tags',
      'session_history',
      'first_seen_at',
      'last_seen_at',
    ]);
    const { properties, tags, session_history, first_seen_at, last_seen_at } = answer.body;
    assert.deepEqual([properties, tags], [{ level: 3 }, ['vip']]);
    const counts = session_history.map((session: { session_id: string; event_count: number }) => [
      session.session_id,
      session.event_count,
    ]);
    assert.deepEqual(new Map(counts), new Map([['s1', 1], ['s2', 2]])); // prettier-ignore
    for (const time of [first_seen_at, last_seen_at, session_history[0].started_at]) {
      assert.match(time, ISO_TIME);
    }
    assert.ok(last_seen_at >= first_seen_at);
  });

  test('a player exists as soon as the first event with its id has arrived', async () => {
    const player_id = makePlayer();
    await track({ event_name: 'e', session_id: 's', player_id });
    const answer = await get(pathOf(player_id));
    assert.deepEqual([answer.status, answer.body.properties, answer.body.tags], [200, {}, []]);
  });

  test('shows the newest 50 sessions', async () => {
    const player_id = makePlayer();
    const start = Date.now() - 100_000;
    await track(
      Array.from({ length: 60 }, (_, index) => ({
        event_name: 'e',
        session_id: `s${index}`,
        player_id,
        client_timestamp: new Date(start + index * 1_000).toISOString(),
      })),
    );
    const { session_history } = (await get(pathOf(player_id))).body;
    assert.equal(session_history.length, 50);
    assert.equal(session_history[0].session_id, 's59');
    assert.equal(session_history[49].session_id, 's10');
  });

  test('last_seen_at is the time of the last write, even if that write has only just arrived', async () => {
    const player_id = makePlayer();
    await identify(player_id, {});
    const first = (await get(pathOf(player_id))).body;
    await server.request('PUT', '/v1/saves', { key, body: { player_id, data: {} } });
    const second = (await get(pathOf(player_id))).body;
    assert.ok(second.last_seen_at > first.last_seen_at);
    assert.equal(second.first_seen_at, first.first_seen_at);
  });

  test('whole numbers over 2^53 are shown as they were sent', async () => {
    const player_id = makePlayer();
    await server.request('POST', '/v1/identify', {
      key,
      body: `{"player_id":"${player_id}","properties":{"id":76561198000000001234}}`,
    });
    assert.match((await get(pathOf(player_id))).text, /"id": ?76561198000000001234}/);
  });

  test('answers 404 for an unknown player, and for a player of the other environment', async () => {
    const player_id = makePlayer();
    const unknown = await get(pathOf(player_id));
    assert.deepEqual([unknown.status, unknown.body], [404, { error: 'Player not found' }]);
    assert.equal((await get(pathOf(player_id, '/timeline'))).status, 404);
    await identify(player_id, {});
    assert.equal((await get(pathOf(player_id), { key: game.development_key })).status, 404);
    assert.equal((await get(pathOf('x'.repeat(256)))).status, 400);
  });
});

describe('with a JWT', () => {
  test('game_id and environment select the player', async () => {
    const player_id = makePlayer();
    await identify(player_id, { in: 'production' });
    await identify(player_id, { in: 'development' }, game.development_key);
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    for (const environment of ['production', 'development']) {
      const query = `?game_id=${game.game_id}&environment=${environment}`;
      const answer = await get(pathOf(player_id, query), { token });
      assert.deepEqual([answer.status, answer.body.properties], [200, { in: environment }]);
      assert.equal((await get(pathOf(player_id, `/timeline${query}`), { token })).status, 200);
    }
  });

  test('without game_id all visible games are searched, and production has precedence', async () => {
    const player_id = makePlayer();
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    await track({ event_name: 'e', session_id: 's', player_id }, game.development_key);
    const development = await get(pathOf(player_id), { token });
    assert.deepEqual([development.status, development.body.session_history.length], [200, 1]);
    await identify(player_id, { in: 'production' });
    const answer = await get(pathOf(player_id), { token });
    assert.deepEqual(answer.body.properties, { in: 'production' });
    const other = await get(pathOf(player_id, '?environment=development'), { token });
    assert.deepEqual(other.body.properties, {});
    const timeline = await get(pathOf(player_id, '/timeline?environment=development'), { token });
    assert.equal(timeline.body.events.length, 1);
  });

  test('if several visible games have the player, the answer is 400 and asks for game_id', async () => {
    const player_id = makePlayer();
    const second = await server.makeGame();
    const { token } = await server.makeAccount({ game_id: game.game_id });
    const administrator = { token: (await server.makeAccount({ is_administrator: true })).token };
    await identify(player_id, { game: 1 });
    await identify(player_id, { game: 2 }, second.production_key);
    // The account is not a member of the second game, so it sees one player.
    assert.deepEqual((await get(pathOf(player_id), { token })).body.properties, { game: 1 });
    const answer = await get(pathOf(player_id), administrator);
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { error: 'game_id is required: several games have this player' }],
    );
    const chosen = await get(pathOf(player_id, `?game_id=${second.game_id}`), administrator);
    assert.deepEqual(chosen.body.properties, { game: 2 });
  });

  test('answers 404 for an unknown player, and for a player of a game of others', async () => {
    const player_id = makePlayer();
    await identify(player_id, {});
    const { token } = await server.makeAccount();
    assert.equal((await get(pathOf(player_id), { token })).status, 404);
    for (const game_id of [game.game_id, '00000000-0000-4000-8000-000000000000', 'x']) {
      const answer = await get(pathOf(player_id, `?game_id=${game_id}`), { token });
      assert.deepEqual([answer.status, answer.body], [404, { error: 'Game not found' }]);
    }
    const member = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const query = `?game_id=${game.game_id}&environment=development`;
    assert.equal((await get(pathOf(player_id, query), { token: member.token })).status, 404);
    const wrong = await get(pathOf(player_id, '?environment=staging'), { token: member.token });
    assert.equal(wrong.status, 400);
  });

  test('with a key and a JWT the key is used, and without both the error asks for the key', async () => {
    const player_id = makePlayer();
    await identify(player_id, {});
    const { token } = await server.makeAccount();
    const second = await server.makeGame();
    assert.equal((await get(pathOf(player_id), { key, token })).status, 200);
    const path = pathOf(player_id, `?game_id=${game.game_id}`);
    assert.equal((await get(path, { key: second.production_key })).status, 404);
    const { status, body } = await get(pathOf(player_id), {});
    assert.deepEqual([status, body], [401, { error: 'Missing x-game-api-key header' }]);
  });
});
