import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useTwoServers } from '../../../test/two-servers.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { RequestOptions } from '../../../test/test-request.ts';
import { makePlayerToken } from '../../../test/player-token.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
before(() => {
  [server, secondNode] = nodes;
});

const NEEDS_TOKEN = {
  error: 'This achievement needs a player who has logged in: send x-player-token',
};
const NEEDS_SERVER = { error: 'This achievement can be written with a server key alone' };

test('on every server, an achievement can only be unlocked by callers that writes_from allows', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const definitions = `/v1/games/${game_id}/achievements`;
  const player_token = await makePlayerToken(server, {
    game_id,
    environment: 'production',
    player_id: 'ann',
  });
  const callers: Record<string, RequestOptions> = {
    anyone: { key },
    verified: { key, headers: { 'x-player-token': player_token } },
    server: { key: await server.makeKey(game_id, 'production', 'server') },
  };
  const unlock = async (who: string, node = server) => {
    const body = { player_id: 'ann', achievement_key: 'first' };
    const answer = await node.request('POST', '/v1/achievements/unlock', {
      ...callers[who]!,
      body,
    });
    return [answer.status, answer.status === 200 ? 'unlocked' : answer.body];
  };
  const created = await server.request('POST', definitions, {
    token,
    body: { key: 'first', name: 'First' },
  });
  assert.equal(created.body.writes_from, 'anyone');
  for (const who of Object.keys(callers)) assert.deepEqual(await unlock(who), [200, 'unlocked']);

  for (const [writes_from, refusals] of [
    ['verified', { anyone: NEEDS_TOKEN }],
    ['server', { anyone: NEEDS_SERVER, verified: NEEDS_SERVER }],
    ['anyone', {}],
  ] as [string, Record<string, object>][]) {
    for (const node of nodes) await unlock('server', node);
    const body = { writes_from };
    const changed = await server.request('PATCH', `${definitions}/first`, { token, body });
    assert.deepEqual([changed.status, changed.body.writes_from], [200, writes_from]);
    for (const who of Object.keys(callers)) {
      const wanted = refusals[who] ? [403, refusals[who]] : [200, 'unlocked'];
      assert.deepEqual(await unlock(who), wanted, `${writes_from}: ${who}`);
      await waitUntil('the other server knows the change', async () => {
        return (await unlock(who, secondNode))[0] === wanted[0];
      });
    }
  }
  const unknown = { player_id: 'ann', achievement_key: 'second' };
  const missing = await server.request('POST', '/v1/achievements/unlock', { key, body: unknown });
  assert.equal(missing.status, 404);
  const listed = await server.request('GET', '/v1/achievements', { key });
  assert.ok(!listed.text.includes('writes_from'));
});

test('a new achievement may have writes_from, and a request with an unknown writes_from gets 400', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const make = (writes_from: string) =>
    server.request('POST', `/v1/games/${game_id}/achievements`, {
      token,
      body: { key: 'a', name: 'A', writes_from },
    });
  const wrong = await make('nobody');
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body, { error: 'writes_from must be one of anyone, verified, server' });
  assert.equal((await make('server')).body.writes_from, 'server');
  const body = { player_id: 'ann', achievement_key: 'a' };
  const { status } = await server.request('POST', '/v1/achievements/unlock', { key, body });
  assert.equal(status, 403);
});
