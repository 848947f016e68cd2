import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import type { RequestOptions } from '../../../test/test-request.ts';
import { makePlayerToken } from '../../../test/player-token.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../database/sql.ts';

/** In each test, the player `guest` was merged into the player `ann`, who has logged in. */

const CLAIMED = [401, 'This player has logged in: send x-player-token'];
const OTHERS = [403, 'This player token belongs to another player'];

const nodes = useTwoServers();
let server: TestServer;
let game: TestGame;
let server_key: string;
let by_client: RequestOptions;
let by_ann: RequestOptions;
before(() => {
  [server] = nodes;
});
beforeEach(async () => {
  game = await server.makeGame();
  const { game_id, production_key: key } = game;
  await server.database.execute(sql`
    INSERT INTO verification_settings (game_id, environment, verification)
    VALUES (${game_id}, 'production', 'claimed')`);
  server_key = await server.makeKey(game_id, 'production', 'server');
  await identify('guest', { key: server_key });
  await identify('ann', { key: server_key });
  await server.database.execute(sql`
    INSERT INTO player_identities (game_id, environment, provider, subject, player_id)
    VALUES (${game_id}, 'production', 'device', 'phone of ann', 'ann')`);
  await merge('ann', 'guest');
  by_client = { key };
  const ann = { game_id, environment: 'production', player_id: 'ann' } as const;
  by_ann = { key, headers: { 'x-player-token': await makePlayerToken(server, ann) } };
});

const identify = (player_id: string, options: RequestOptions, properties = {}) =>
  server.request('POST', '/v1/identify', { ...options, body: { player_id, properties } });
const merge = async (player_id: string, from_player_id: string) => {
  const path = `/v1/players/${player_id}/merge`;
  const options = { key: server_key, body: { from_player_id } };
  const { status, text } = await server.request('POST', path, options);
  assert.equal(status, 200, text);
};
const track = (player_id: string, options: RequestOptions) =>
  server.request('POST', '/v1/track', {
    ...options,
    body: [{ event_name: 'jump', session_id: 's', player_id }],
  });
const load = (player_id: string, options: RequestOptions, node = server) =>
  node.request('GET', `/v1/saves?player_id=${player_id}`, options);
const countEvents = async (player_id: string) => {
  const path = `/v1/players/${player_id}/timeline`;
  return (await server.request('GET', path, { key: server_key })).body.events?.length;
};
const refusalOf = ({ status, body }: { status: number; body: { error?: string } }) => [
  status,
  body.error,
];

test('an id that was merged into a player who has logged in needs that player’s token', async () => {
  for (const answer of [
    await track('guest', by_client),
    await identify('guest', by_client, { level: 9 }),
    await load('guest', by_client),
    await server.request('GET', '/v1/config?player_id=guest', by_client),
    await server.request('GET', '/v1/players/guest', by_client),
  ]) {
    assert.deepEqual(refusalOf(answer), CLAIMED);
  }
  assert.equal(await countEvents('ann'), 0);
});

test('an id that was merged into a player without logins may be named by everybody', async () => {
  await identify('ben', by_client);
  await identify('old ben', by_client);
  await merge('ben', 'old ben');
  assert.equal((await track('old ben', by_client)).status, 202);
  assert.equal(await countEvents('ben'), 1);
});

test('a device that still sends its merged id acts for the player of its token', async () => {
  assert.equal((await track('guest', by_ann)).status, 202);
  assert.equal(await countEvents('ann'), 1);
  assert.equal((await identify('guest', by_ann, { level: 2 })).status, 200);
  const { body } = await server.request('GET', '/v1/players/guest', by_ann);
  assert.deepEqual([body.player_id, body.properties], ['ann', { level: 2 }]);
});

test('a token of the player who stays is refused for ids of others', async () => {
  await identify('ben', { key: server_key });
  await identify('old ben', { key: server_key });
  await merge('ben', 'old ben');
  for (const player_id of ['ben', 'old ben', 'nobody']) {
    assert.deepEqual(refusalOf(await track(player_id, by_ann)), OTHERS);
  }
  // The studio has made another player of this id.
  await identify('guest', { key: server_key });
  assert.deepEqual(refusalOf(await track('guest', by_ann)), OTHERS);
});

const steer = async (method: string, path: string) => {
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const answer = await server.request(method, `/v1/games/${game.game_id}/players/${path}`, {
    token,
  });
  assert.equal(answer.status, 204, answer.text);
};

for (const [change, make] of Object.entries({
  'the last login of the player who stays is removed': () =>
    steer('DELETE', 'ann/logins?environment=production&provider=device&subject=phone%20of%20ann'),
  'the player who stays is erased': () => steer('DELETE', 'ann?environment=production'),
  'another player is merged into a new player of the merged id': async () => {
    for (const player_id of ['guest', 'ben']) await identify(player_id, { key: server_key });
    await merge('guest', 'ben');
  },
})) {
  test(`a merged id needs no token any more on any server when ${change}`, async () => {
    const isClaimed = async (node: TestServer) =>
      (await load('guest', by_client, node)).status === 401;
    for (const node of nodes) {
      await waitUntil('the server asks for the token', () => isClaimed(node));
    }
    await make();
    for (const node of nodes) {
      await waitUntil('the server asks for no token', async () => !(await isClaimed(node)));
    }
  });
}
