import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { OverworldError } from '../src/overworld.ts';
import { listStored, makeClient, makeStore, withClockOff } from './client.ts';
import { startNetwork } from './network.ts';
import { inTurn } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
let game: TestGame;
let token: string;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
  game = await server.makeGame();
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
  await server.request('POST', `/v1/games/${game.game_id}/achievements`, {
    token,
    body: { key: 'first_light', name: 'First Light', description: 'Finish it', points: 10 },
  });
});
after(() => close());

const putConfig = async (difficulty: unknown, rules: object[] = []) => {
  const path = `/v1/games/${game.game_id}/config`;
  const { body, status } = await server.request('PUT', path, {
    token,
    body: { environment: 'production', parameters: { difficulty: { value: difficulty, rules } } },
  });
  assert.equal(status, 200, JSON.stringify(body));
};

test('properties are merged, and tags are added and removed', async () => {
  await using client = makeClient(server, game, { playerId: 'a/b ü' });
  const { overworld } = client;
  await overworld.identify({ name: 'Juno', level: 1 });
  assert.deepEqual(await overworld.identify({ level: 2 }), { name: 'Juno', level: 2 });
  assert.deepEqual(await overworld.tags.add(' VIP '), ['vip']);
  await overworld.tags.add('beta');
  await overworld.tags.remove('vip');
  await overworld.tags.remove('vip');
  assert.deepEqual(await overworld.tags.add('beta'), ['beta']);
});

test('achievements are listed and unlocked', async () => {
  await using client = makeClient(server, game, { playerId: 'unlocker' });
  const { achievements } = client.overworld;
  const unlock = await achievements.unlock('first_light');
  assert.deepEqual([unlock.already_unlocked, unlock.total_points], [false, 10]);
  assert.equal((await achievements.unlock('first_light')).already_unlocked, true);
  const list = await achievements.list();
  assert.deepEqual([list.achievements[0]!.unlocked, list.unlocked_points], [true, 10]);
  await assert.rejects(achievements.unlock('no_such'), { code: 'not_found', status: 404 });
});

test('a call sends its arguments as they were when it was made, even if the game changes them later', async () => {
  await using client = makeClient(server, game, { playerId: 'goes on' });
  const { overworld } = client;
  const state = { level: 1 };
  const identified = overworld.identify(state);
  const submitted = overworld.leaderboards.submit('levels', 1, { metadata: state });
  state.level = 2;
  assert.deepEqual(await identified, { level: 1 });
  assert.deepEqual((await submitted).metadata, { level: 1 });
});

test('calls that are safe to repeat are tried four times at most', async () => {
  await using client = makeClient(proxy, game, { playerId: 'retry' });
  const { overworld } = client;
  proxy.decide = inTurn('refuse', 'lose_answer');
  assert.equal((await overworld.achievements.unlock('first_light')).total_points, 10);
  proxy.decide = inTurn('cut_answer');
  assert.equal((await overworld.leaderboards.submit('retries', 7)).score, 7);
  const requests = proxy.requests;
  proxy.decide = () => 'refuse';
  await assert.rejects(overworld.identify({ a: 1 }), { code: 'network' });
  assert.equal(proxy.requests - requests, 4);
  proxy.decide = () => 'pass';
});

test('a call fails at once if Retry-After is long, and the error has the time to wait', async () => {
  await using client = makeClient(proxy, game, { playerId: 'limited' });
  proxy.decide = inTurn({
    status: 429,
    headers: { 'retry-after': '42' },
    body: '{"error":"Too Many Requests","statusCode":429,"message":"…"}',
  });
  await assert.rejects(client.overworld.achievements.list(), {
    code: 'rate_limited',
    retryAfterMs: 42_000,
  });
});

test('an error has its status, code, request id and body', async () => {
  await using client = makeClient(server, { ...game, production_key: 'ow_live_wrong' });
  await assert.rejects(client.overworld.config.load(), (error: unknown) => {
    assert.ok(error instanceof OverworldError && error instanceof Error);
    assert.deepEqual(
      [error.status, error.code, error.message],
      [401, 'unauthorized', 'Invalid API key'],
    );
    assert.match(error.requestId!, /^[0-9a-f-]{36}$/);
    assert.deepEqual(error.body, { error: 'Invalid API key' });
    return true;
  });
});

/** Calls `run` while the device says that it has no network. */
async function withOfflineHint(run: () => Promise<void>) {
  const { navigator } = globalThis;
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true });
  try {
    await run();
  } finally {
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  }
}

test('a device that is wrong about having no network makes all calls', () =>
  withOfflineHint(async () => {
    await using client = makeClient(server, game, { playerId: 'hinted' });
    client.overworld.track('step', { n: 1 });
    assert.deepEqual(await client.overworld.identify({ a: 1 }), { a: 1 });
    assert.equal(await client.overworld.flush(), true);
    assert.deepEqual(client.errors, []);
  }));

test('without a network a call fails after one attempt, and events wait for more than six days', () =>
  withOfflineHint(async () => {
    await using client = makeClient(proxy, game, { playerId: 'no network' });
    const { overworld } = client;
    proxy.decide = () => 'refuse';
    const { requests } = proxy;
    await assert.rejects(overworld.identify({ a: 1 }), { code: 'offline' });
    assert.equal(proxy.requests - requests, 1);
    overworld.track('step', { n: 1 });
    assert.equal(await overworld.flush(), false);
    assert.deepEqual(client.errors, ['offline']);
    proxy.decide = () => 'pass';
    await withClockOff(8 * 86_400_000, async () => assert.equal(await overworld.flush(), true));
    assert.deepEqual(client.dropped, []);
  }));

test('the config is requested at most once a minute, sent only if it has changed, and available offline', async () => {
  await putConfig(1);
  const store = makeStore();
  const client = makeClient(proxy, game, { store });
  const { config } = client.overworld;
  assert.equal(config.get('difficulty', 5), 5);
  const requests = proxy.requests;
  const [one, other] = await Promise.all([config.load(), config.load()]);
  assert.deepEqual(one.config, { difficulty: 1 });
  assert.deepEqual([one.isStale, other], [false, one]);
  await config.load();
  assert.equal(proxy.requests - requests, 1);
  assert.equal(config.get('difficulty', 5), 1);
  assert.equal(config.get('toString', 'none'), 'none');
  assert.equal(config.get('difficulty', 'easy'), 'easy');
  assert.equal(config.get('difficulty', null), 1);

  // The config has not changed, so the server answers 304.
  assert.deepEqual((await config.load({ maxAgeMs: 0 })).config, { difficulty: 1 });
  await putConfig(2);
  await withClockOff(-3_600_000, async () => {
    assert.equal((await config.load()).config.difficulty, 2);
  });

  proxy.decide = () => ({ status: 400, body: '<html>no</html>' });
  const stale = await config.load({ maxAgeMs: 0 });
  assert.deepEqual([stale.config, stale.isStale], [{ difficulty: 2 }, true]);
  const next = makeClient(proxy, game, { store });
  assert.equal(next.overworld.config.get('difficulty', 5), 2);
  assert.equal((await next.overworld.config.load()).isStale, true);
  const stranger = makeClient(proxy, game, { store, playerId: 'p-2' });
  await assert.rejects(stranger.overworld.config.load(), { code: 'bad_answer' });
  proxy.decide = () => 'pass';
  for (const one_client of [client, next, stranger]) await one_client[Symbol.asyncDispose]();
});

test('a config that is loading for one player is not given to the next player', async () => {
  await putConfig(1, [{ has_tags: ['vip'], value: 9 }]);
  await using client = makeClient(proxy, game, { playerId: 'guest' });
  const { overworld } = client;
  await using vip = makeClient(server, game, { playerId: 'vip' });
  await vip.overworld.tags.add('vip');

  // The answer for the guest comes last.
  proxy.decide = inTurn({ delay_ms: 300 });
  const asked = overworld.config.load();
  overworld.setPlayerId('vip');
  const own = await overworld.config.load({ maxAgeMs: 0 });
  assert.deepEqual([own.config, own.isStale], [{ difficulty: 9 }, false]);
  assert.deepEqual((await asked).config, { difficulty: 1 });
  assert.equal(overworld.config.get('difficulty', 5), 9);
  assert.equal((await overworld.config.load()).config.difficulty, 9);
});

test('calls after a login belong to the new player', async () => {
  await using client = makeClient(server, game, { playerId: undefined });
  const { overworld } = client;
  overworld.track('before');
  const anonymous = overworld.playerId;
  overworld.setPlayerId('account-7');
  overworld.track('after');
  await overworld.flush();
  assert.deepEqual(await overworld.identify({ a: 1 }), { a: 1 });
  for (const [player_id, event_name] of [
    [anonymous, 'before'],
    ['account-7', 'after'],
  ] as const) {
    const [event] = await listStored(server, game, { player_id });
    assert.equal(event!.event_name, event_name);
  }
});

test('calls take effect in order even if an earlier one is retried, and a save belongs to the player at the time of the call', async () => {
  await using client = makeClient(proxy, game, { playerId: 'in-turn' });
  const { overworld } = client;
  proxy.decide = inTurn('refuse');
  const setting = [overworld.identify({ level: 1 }), overworld.identify({ level: 2 })];
  assert.deepEqual((await Promise.all(setting)).at(-1), { level: 2 });
  proxy.decide = inTurn('refuse');
  await Promise.all([overworld.tags.add('beta'), overworld.tags.remove('beta')]);
  assert.deepEqual(await overworld.tags.add('vip'), ['vip']);

  const saving = [overworld.saves.save({ level: 1 }), overworld.saves.save({ level: 2 })];
  overworld.setPlayerId('in-turn-too');
  await Promise.all(saving);
  assert.equal(await overworld.saves.load(), null);
  overworld.setPlayerId('in-turn');
  assert.deepEqual((await overworld.saves.load())!.data, { level: 2 });
});
