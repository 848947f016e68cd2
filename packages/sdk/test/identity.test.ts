import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import type { OverworldOptions } from '../src/overworld.ts';
import { listNumbers, listStored, makeClient, makeStore } from './client.ts';
import type { TestStore } from './client.ts';
import { startNetwork } from './network.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
});
after(() => close());

/** Starts a client for an anonymous player. */
const start = (game: TestGame, store: TestStore, options: Partial<OverworldOptions> = {}) =>
  makeClient(server, game, { store, playerId: undefined, ...options });

/** Tracks an event while offline, so that it stays in the store. @returns the id of the anonymous player. */
async function playOffline(game: TestGame, store: TestStore, options: Partial<OverworldOptions>) {
  await using client = start(game, store, { baseUrl: 'http://127.0.0.1:1', ...options });
  client.overworld.track('step', { n: 1 });
  await client.overworld.close({ timeoutMs: 0 });
  return client.overworld.playerId;
}

test('a new API key keeps the anonymous player and, if there is a storeName, also the waiting events', async () => {
  const game = await server.makeGame();
  const apiKey = await server.makeKey(game.game_id, 'production');
  for (const [storeName, expected] of [
    [undefined, [2]],
    ['moonward', [1, 2]],
  ] as const) {
    const store = makeStore();
    const player = await playOffline(game, store, { storeName });
    await using next = start(game, store, { storeName, apiKey });
    next.overworld.track('step', { n: 2 });
    await next.overworld.flush();
    assert.equal(next.overworld.playerId, player);
    assert.deepEqual(await listNumbers(server, game, player), expected);
  }
});

test('a new API key keeps an anonymous player whom an old SDK stored under the first API key', async () => {
  const game = await server.makeGame();
  const apiKey = await server.makeKey(game.game_id, 'production');
  for (const options of [{}, { storeName: 'moonward' }]) {
    const store = makeStore();
    await playOffline(game, store, {});
    for (const key of store.copy().values.keys()) {
      if (key.endsWith(':identity')) store.values.delete(key);
    }
    const [queue] = [...store.values.keys()].filter((key) => key.includes(':queue:'));
    store.values.set(`${queue!.split(':').slice(0, 2).join(':')}:player`, 'p-of-old');
    const rotated = { ...options, apiKey, firstApiKey: game.production_key };
    await using next = start(game, store, rotated);
    next.overworld.track('step', { n: 2 });
    await next.overworld.flush();
    assert.equal(next.overworld.playerId, 'p-of-old');
    assert.equal((await listNumbers(server, game, 'p-of-old')).at(-1), 2);
    await using later = start(game, store, { ...options, apiKey });
    assert.equal(later.overworld.playerId, 'p-of-old');
  }
});

test('different store names or environments have different anonymous players', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  const ids = [];
  for (const options of [
    { storeName: 'one' },
    { storeName: 'two' },
    { storeName: 'one', apiKey: game.development_key },
  ]) {
    await using client = start(game, store, options);
    ids.push(client.overworld.playerId);
  }
  assert.equal(new Set(ids).size, 3);
});

test('while trackingEnabled is false, nothing is stored or sent', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  await using client = makeClient(proxy, game, {
    store,
    playerId: undefined,
    trackingEnabled: false,
  });
  const { overworld } = client;
  const { requests } = proxy;
  overworld.track('step', { n: 1 });
  for (const call of [
    () => overworld.identify({}),
    () => overworld.saves.save({ level: 1 }),
    () => overworld.leaderboards.submit('b', 1),
    () => overworld.leaderboards.page('b'),
    () => overworld.config.load(),
  ]) {
    await assert.rejects(call(), { code: 'tracking_disabled' });
  }
  assert.equal(await overworld.flush(), false);
  assert.deepEqual([proxy.requests - requests, store.values.size, overworld.playerId], [0, 0, '']);

  overworld.trackingEnabled = true;
  const player_id = overworld.playerId;
  overworld.track('step', { n: 2 });
  assert.equal(await overworld.flush(), true);
  overworld.track('step', { n: 3 });
  overworld.trackingEnabled = false;
  overworld.track('step', { n: 4 });
  await assert.rejects(overworld.identify({}), { code: 'tracking_disabled' });
  assert.deepEqual(await listNumbers(server, game, player_id), [2]);
  assert.equal(
    [...store.values.keys()].some((key) => key.endsWith(':session')),
    false,
  );

  overworld.trackingEnabled = true;
  assert.equal(await overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game, player_id), [2, 3]);
  assert.deepEqual(client.dropped, []);
});

test('session_start has the version of the game and the platform as properties', async () => {
  const game = await server.makeGame();
  await using client = makeClient(server, game, { appVersion: '1.4.2' });
  await client.overworld.flush();
  const [event] = await listStored(server, game, { withSessions: true });
  assert.equal(event!.event_name, 'session_start');
  assert.equal(event!.properties.app_version, '1.4.2');
  assert.match(String(event!.properties.platform), /^(linux|macos|windows)$/);
});
