import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MAX_REWARDS_BYTES } from '@overworld/contract/messages/message-limits';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { coins, ENV, makeSeasonClient } from '../test/season-client.ts';
import type { SeasonClient } from '../test/season-client.ts';

let server: TestServer;
let client: SeasonClient;
let manage: (method: string, path: string, body?: object) => ReturnType<TestServer['request']>;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeSeasonClient(server);
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  manage = (method, path, body) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token, body });
});

const prize = (gift: object) => ({
  title: 'Winner',
  text: '',
  top_percent: 100,
  rewards: [gift],
});

const statGift = (key: string, value = 2.5) => prize({ type: 'stat', key, value });

test('a season gives a statistic once, with the claim of its message', async () => {
  const made = await manage('POST', '/stats', { key: 'wins', name: 'Wins' });
  assert.equal(made.status, 201, made.text);
  await client.setRewards(statGift('wins'));
  await client.score('ann', 5);
  await client.endSeason();
  await client.runTask();
  const key = client.game.production_key;
  const { body } = await server.request('GET', '/v1/messages?player_id=ann', { key });
  const [message] = body.messages;
  assert.deepEqual(message.rewards, [{ type: 'stat', key: 'wins', value: 2.5 }]);
  const claim = () =>
    server.request('POST', `/v1/messages/${message.id}/claim`, { key, body: { player_id: 'ann' } });
  const claims = await Promise.all([claim(), claim(), claim()]);
  assert.deepEqual(claims.map(({ body: { already_claimed } }) => already_claimed).toSorted(), [
    false,
    true,
    true,
  ]);
  const { stats } = (await server.request('GET', '/v1/stats?player_id=ann', { key })).body;
  assert.equal(stats.find((stat: { key: string }) => stat.key === 'wins').value, 2.5);
});

test('a statistic or an achievement is not deleted while the rewards of a board give it', async () => {
  for (const path of ['/stats', '/achievements']) {
    assert.equal((await manage('POST', path, { key: 'wins', name: 'Wins' })).status, 201);
  }
  await client.setRewards(statGift('wins'), prize({ type: 'achievement', key: 'wins' }));
  for (const path of ['/stats/wins', '/achievements/wins']) {
    const { status, body, text } = await manage('DELETE', path);
    assert.deepEqual([status, body.used_by], [409, ['the rewards of the board "b"']], text);
  }
  await client.setRewards(coins('Winner', { top_percent: 100 }));
  for (const path of ['/stats/wins', '/achievements/wins']) {
    const { status, body, text } = await manage('DELETE', path);
    assert.deepEqual([status, body.result], [200, 'deleted'], text);
  }
});

test('gifts that are larger than those of a message may be are refused by their place', async () => {
  await client.setRewards();
  await client.score('ann', 5);
  await client.endSeason();
  const gifts = (count: number) => ({
    ...prize({}),
    rewards: Array.from({ length: count }, () => ({
      type: 'item',
      key: '🏆'.repeat(255),
      quantity: 1,
    })),
  });
  const bytesOf = (count: number) => Buffer.byteLength(JSON.stringify(gifts(count).rewards));
  const most = Math.floor(MAX_REWARDS_BYTES / bytesOf(1));
  assert.ok(bytesOf(most) <= MAX_REWARDS_BYTES && bytesOf(most + 1) > MAX_REWARDS_BYTES);
  const body = { season_rewards: [gifts(most), gifts(most + 1)] };
  for (const [method, path] of [
    ['PUT', '/b'],
    ['POST', `/b/seasons/1/rewards?${ENV}`],
  ] as const) {
    const answer = await client.manage(method, path, body);
    assert.deepEqual(
      [answer.status, answer.body.error],
      [413, 'season_rewards[1].rewards has more than 16,384 bytes'],
    );
  }
  await client.setRewards(gifts(most));
});

test('a gift whose statistic or achievement the game lacks is refused by its place', async () => {
  await client.setRewards();
  await client.score('ann', 5);
  await client.endSeason();
  for (const type of ['stat', 'achievement'] as const) {
    const gift = type === 'stat' ? { type, key: 'none', value: 1 } : { type, key: 'none' };
    const rewards = [{ type: 'item', key: 'coins', quantity: 1 }, gift];
    const body = { season_rewards: [{ ...statGift('none'), rewards }] };
    const error = `season_rewards[0].rewards[1].key names no ${type} of the game`;
    for (const [method, path] of [
      ['PUT', '/b'],
      ['PUT', '/new'],
      ['POST', `/b/seasons/1/rewards?${ENV}`],
    ] as const) {
      const answer = await client.manage(method, path, body);
      assert.deepEqual([answer.status, answer.body], [400, { error }], `${method} ${path}`);
    }
  }
  assert.equal((await client.manage('GET', `/new?${ENV}`)).status, 404);
  assert.deepEqual((await client.manage('GET', `/b?${ENV}`)).body.season_rewards, []);
});
