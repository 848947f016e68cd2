import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Verification } from '@overworld/contract/players/verification';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { RequestOptions, TestAnswer } from '../../../test/test-request.ts';
import { makePlayerToken } from '../../../test/player-token.ts';
import { sql } from '../database/sql.ts';

const OTHERS = { error: 'This player token belongs to another player' };
const MISSING = { error: 'Missing x-player-token header' };
const NO_ID = { error: 'player_id is required' };

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Sends a call about a player; without an id the call names nobody. */
type CallAbout = (player_id: string | undefined, options: RequestOptions) => Promise<TestAnswer>;

const withQuery = (path: string, player_id: string | undefined) =>
  player_id === undefined ? path : `${path}?player_id=${player_id}`;

/** Calls that need a player, and can name the player in the body or in the query. */
const CALLS: Record<string, CallAbout> = {
  identify: (player_id, options) =>
    server.request('POST', '/v1/identify', { ...options, body: { player_id, properties: {} } }),
  'write of a save': (player_id, options) =>
    server.request('PUT', '/v1/saves', { ...options, body: { player_id, data: {} } }),
  'read of a save': (player_id, options) =>
    server.request('GET', withQuery('/v1/saves', player_id), options),
  submit: (player_id, options) =>
    server.request('POST', '/v1/leaderboards', {
      ...options,
      body: { player_id, board_name: 'b', score: 1 },
    }),
  unlock: (player_id, options) =>
    server.request('POST', '/v1/achievements/unlock', {
      ...options,
      body: { player_id, achievement_key: 'first' },
    }),
  'deletion of a save': (player_id, options) =>
    server.request('DELETE', withQuery('/v1/saves', player_id), options),
};

async function makeGame(verification: Verification = 'off') {
  const game = await server.makeGame();
  const { game_id } = game;
  await server.database.execute(sql`
    INSERT INTO verification_settings (game_id, environment, verification)
    VALUES (${game_id}, 'production', ${verification})`);
  await server.database.execute(sql`
    INSERT INTO achievements (game_id, key, name, description, icon_url, points, hidden, position)
    VALUES (${game_id}, 'first', 'First', '', '', 1, false, 1)`);
  const tokenOf = (player_id: string) =>
    makePlayerToken(server, { game_id, environment: 'production', player_id });
  const server_key = await server.makeKey(game_id, 'production', 'server');
  return { ...game, key: game.production_key, server_key, tokenOf };
}

const withToken = (key: string, player_token: string): RequestOptions => ({
  key,
  headers: { 'x-player-token': player_token },
});

const isServed = ({ status }: TestAnswer) => status < 300;

suite('a call is about the player of its token', () => {
  for (const [name, call] of Object.entries(CALLS)) {
    test(name, async () => {
      const { key, tokenOf } = await makeGame();
      const own = withToken(key, await tokenOf('ann'));
      await CALLS['write of a save']!('ann', { key });
      const foreign = await call('ben', own);
      assert.deepEqual([foreign.status, foreign.body], [403, OTHERS]);
      assert.ok(isServed(await call(undefined, own)));
      await CALLS['write of a save']!('ann', { key });
      assert.ok(isServed(await call('ann', own)));
    });
  }
});

suite('without a token', () => {
  for (const [name, call] of Object.entries(CALLS)) {
    test(`${name} may name any player if the game requires no token`, async () => {
      const { key } = await makeGame();
      await CALLS['write of a save']!('ann', { key });
      const unnamed = await call(undefined, { key });
      assert.deepEqual([unnamed.status, unnamed.body], [400, NO_ID]);
      assert.ok(isServed(await call('ann', { key })));
    });

    test(`${name} is answered 401 if the game requires tokens, but not for a server key`, async () => {
      const { key, server_key } = await makeGame('required');
      await CALLS['write of a save']!('ann', { key: server_key });
      for (const named of ['ann', undefined]) {
        const refused = await call(named, { key });
        assert.deepEqual([refused.status, refused.body], [401, MISSING]);
      }
      const unnamed = await call(undefined, { key: server_key });
      assert.deepEqual([unnamed.status, unnamed.body], [400, NO_ID]);
      assert.ok(isServed(await call('ann', { key: server_key })));
    });
  }
});

test('a path with a foreign player id gets 403, and a request without a required token 401', async () => {
  const { key, tokenOf } = await makeGame('required');
  const own = withToken(key, await tokenOf('ann'));
  assert.equal((await CALLS.identify!('ann', own)).status, 200);
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', '/timeline', undefined],
    ['POST', '/tags', { tag: 'vip' }],
    ['DELETE', '/tags/vip', undefined],
  ] as const) {
    const about = (player_id: string, options: RequestOptions) =>
      server.request(method, `/v1/players/${player_id}${path}`, { ...options, body });
    const foreign = await about('ben', own);
    assert.deepEqual([foreign.status, foreign.body], [403, OTHERS], path);
    const anonymous = await about('ann', { key });
    assert.deepEqual([anonymous.status, anonymous.body], [401, MISSING], path);
    assert.ok(isServed(await about('ann', own)), path);
  }
});

test('lists of achievements and configs are for the player of the token, or for no player', async () => {
  const { key, tokenOf } = await makeGame('required');
  const own = withToken(key, await tokenOf('ann'));
  assert.equal((await CALLS.unlock!('ann', own)).status, 200);
  const unlocked = async (options: RequestOptions) =>
    (await server.request('GET', '/v1/achievements', options)).body.achievements[0].unlocked;
  assert.equal(await unlocked(own), true);
  assert.equal(await unlocked({ key }), undefined);
  for (const path of ['/v1/achievements', '/v1/config']) {
    assert.equal((await server.request('GET', `${path}?player_id=ben`, own)).status, 403);
    assert.equal((await server.request('GET', `${path}?player_id=ben`, { key })).status, 401);
    assert.equal((await server.request('GET', path, { key })).status, 200);
  }
});

test('a batch of events is refused completely if one of its events is of another player', async () => {
  const { game_id, key, server_key, tokenOf } = await makeGame('required');
  const own = withToken(key, await tokenOf('ann'));
  const track = (names: (string | null)[], options: RequestOptions) =>
    server.request('POST', '/v1/track', {
      ...options,
      body: names.map((player_id) => ({ event_name: 'e', session_id: 's', player_id })),
    });
  const foreign = await track([null, 'ann', 'ben', 'cid'], own);
  assert.deepEqual([foreign.status, foreign.body], [403, { ...OTHERS, index: 2 }]);
  const anonymous = await track([null, 'ann'], { key });
  assert.deepEqual([anonymous.status, anonymous.body], [401, { ...MISSING, index: 1 }]);
  const usage = await server.database.queryOne<{ used: number }>(
    sql`SELECT count(*) AS used FROM event_inbox WHERE game_id = ${game_id}`,
  );
  assert.equal(usage!.used, 0);
  for (const [names, options] of [
    [[null, 'ann', null, 'ann'], own],
    [[null, null], { key }],
    [['ann', 'ben'], { key: server_key }],
  ] as const) {
    const { status, body } = await track([...names], options);
    assert.deepEqual([status, body.received], [202, names.length]);
  }
});

test('an empty x-player-token header counts as no header, and a wrong token is 401 everywhere', async () => {
  const { key } = await makeGame();
  assert.ok(isServed(await CALLS.identify!('ann', withToken(key, ''))));
  for (const path of ['/v1/achievements', '/v1/leaderboards/b', '/v1/config']) {
    const { status, body } = await server.request('GET', path, withToken(key, 'a.b.c'));
    assert.deepEqual([status, body], [401, { error: 'Invalid player token' }]);
  }
});
