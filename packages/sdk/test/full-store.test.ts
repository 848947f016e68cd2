import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import type { OverworldError } from '../src/overworld.ts';
import { listNumbers, makeClient, makeFullStore, makeStore, slow, trackNumbers } from './client.ts';
import type { TestStore } from './client.ts';
import { startNetwork } from './network.ts';
import { inTurn } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
let game: TestGame;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
  game = await server.makeGame();
});
after(() => close());

const busy = () => ({ status: 503, headers: { 'retry-after': '60' }, body: '{"error":"Busy"}' });

test('a call is kept only if the store has taken it, and a full store is told once', async () => {
  for (const [index, wrap] of [
    (store: ReturnType<typeof makeFullStore>) => store,
    slow,
  ].entries()) {
    const said: string[] = [];
    const { warn } = console;
    console.warn = (text: string) => said.push(text);
    const store = makeFullStore();
    await using client = makeClient(proxy, game, {
      apiKey: game.development_key,
      store: wrap(store),
      playerId: `full-${index}`,
    });
    const { overworld, errors } = client;
    proxy.decide = busy;
    const isLost = ({ code, isKept, cause }: OverworldError) =>
      code === 'store_failed' && !isKept && (cause as OverworldError).code === 'server_error';
    await assert.rejects(overworld.leaderboards.submit('full', 5), isLost);
    await assert.rejects(overworld.saves.save({ level: 1 }), isLost);
    await assert.rejects(overworld.achievements.unlock('none'), isLost);
    assert.equal(overworld.queuedCalls, 0);
    assert.equal(await overworld.stored(), false);
    console.warn = warn;
    assert.deepEqual(errors, ['store_failed']);
    const told = said.filter((text) => text.includes('full or blocked'));
    assert.equal(told.length, 1, said.join('\n'));
    assert.match(told[0]!, /QuotaExceededError/);

    store.isFull = false;
    await assert.rejects(overworld.leaderboards.submit('full', 6), {
      code: 'server_error',
      isKept: true,
    });
    assert.equal(overworld.queuedCalls, 1);
    proxy.decide = () => 'pass';
    assert.equal(await overworld.flush(), true);
    const { entries } = await overworld.leaderboards.page('full');
    assert.deepEqual(
      entries.filter(({ player_id }) => player_id === `full-${index}`).map(({ score }) => score),
      [6],
    );
  }
});

test('without a store no call is kept', async () => {
  await using client = makeClient(proxy, game, { store: null });
  proxy.decide = busy;
  await assert.rejects(client.overworld.leaderboards.submit('none', 5), {
    code: 'server_error',
    isKept: false,
  });
  assert.deepEqual([client.overworld.queuedCalls, client.errors], [0, []]);
  proxy.decide = () => 'pass';
});

test('a save that is not kept, and whose answer was lost, does not conflict with the next save', async () => {
  await using client = makeClient(proxy, game, { store: makeFullStore(), playerId: 'unsure-full' });
  proxy.decide = inTurn('lose_answer', busy());
  await assert.rejects(client.overworld.saves.save({ level: 1 }), { code: 'store_failed' });
  const { version, wasConflict } = await client.overworld.saves.save({ level: 2 });
  assert.deepEqual([version, wasConflict], [2, false]);
});

test('a call that finds no room leaves the kept call before it in the store', async () => {
  for (const [index, wrap] of [
    (store: ReturnType<typeof makeFullStore>) => store,
    slow,
  ].entries()) {
    const store = makeFullStore();
    store.isFull = false;
    const playerId = `room-${index}`;
    const first = makeClient(proxy, game, { store: wrap(store), playerId });
    proxy.decide = busy;
    await assert.rejects(first.overworld.saves.save({ level: 1 }), { isKept: true });
    store.isFull = true;
    await assert.rejects(first.overworld.saves.save({ level: 2 }), { code: 'store_failed' });
    assert.equal(first.overworld.queuedCalls, 1);
    await first.overworld.close({ timeoutMs: 0 });

    store.isFull = false;
    proxy.decide = () => 'pass';
    await using second = makeClient(proxy, game, { store: wrap(store), playerId });
    await waitUntil('all is sent', () => second.overworld.flush());
    assert.deepEqual((await second.overworld.saves.load())?.data, { level: 1 });
  }
});

test('calls of an earlier start are sent from a store that has become full, and stay in it until then', async () => {
  const store = makeFullStore();
  store.isFull = false;
  const playerId = 'full-later';
  const first = makeClient(proxy, game, { store, playerId });
  proxy.decide = busy;
  await assert.rejects(first.overworld.leaderboards.submit('later', 5), { isKept: true });
  await first.overworld.close({ timeoutMs: 0 });
  store.isFull = true;
  const second = makeClient(proxy, game, { store, playerId });
  await waitUntil('it has the call', async () => second.overworld.queuedCalls === 1);
  // The second client is killed: the third one finds what is in the store now.
  const left = makeStore(store.values);
  await second.overworld.close({ timeoutMs: 0 });
  proxy.decide = () => 'pass';
  await using third = makeClient(proxy, game, { store: left, playerId });
  await waitUntil('all is sent', () => third.overworld.flush());
  const { entries } = await third.overworld.leaderboards.page('later');
  assert.deepEqual(
    entries.map(({ score }) => score),
    [5],
  );
});

test('events that a full store refuses are sent, and `stored` says that they are not in it', async () => {
  const store = makeFullStore();
  store.isFull = false;
  await using client = makeClient(proxy, game, { store, playerId: 'quota' });
  trackNumbers(client.overworld, 1, 2);
  assert.equal(await client.overworld.stored(), true);
  store.isFull = true;
  trackNumbers(client.overworld, 3, 4);
  assert.equal(await client.overworld.stored(), false);
  assert.deepEqual(client.errors, ['store_failed']);
  assert.equal(await client.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game, 'quota'), [1, 2, 3, 4]);
});

test('a kept call that is answered before a later one finds no room is not sent again', async () => {
  const store = makeFullStore();
  store.isFull = false;
  await using client = makeClient(proxy, game, { store, playerId: 'answered' });
  const { overworld } = client;
  proxy.decide = busy;
  await assert.rejects(overworld.saves.save({ level: 1 }), { isKept: true });
  let requests = 0;
  proxy.decide = () => (requests++ === 0 ? { delay_ms: 200 } : busy());
  const flushed = overworld.flush();
  await waitUntil('the first save is on its way', async () => requests === 1);
  store.isFull = true;
  await assert.rejects(overworld.saves.save({ level: 2 }), { code: 'store_failed' });
  await flushed;
  assert.equal(overworld.queuedCalls, 0);
  store.isFull = false;
  proxy.decide = () => 'pass';
  assert.equal((await overworld.saves.save({ level: 3 })).version, 2);
});

test('a store that cannot be read at the start is told, and holds up no call', async () => {
  const playerId = 'unread';
  for (const wrap of [(store: TestStore) => store, slow]) {
    const left = makeStore();
    const first = makeClient(proxy, game, { store: left, playerId });
    proxy.decide = busy;
    await assert.rejects(first.overworld.leaderboards.submit('unread', 1), { isKept: true });
    first.overworld.track('unread');
    await first.overworld.close({ timeoutMs: 0 });
    const store = left.copy();
    let isUnreadable = true;
    store.getItem = (key) => {
      if (isUnreadable && key.includes(':e:')) throw new Error('The row is broken');
      return store.values.get(key) ?? null;
    };
    proxy.decide = () => 'pass';
    await using client = makeClient(proxy, game, { store: wrap(store), playerId });
    const { overworld, errors } = client;
    assert.equal((await overworld.leaderboards.submit('unread', 2)).score, 2);
    assert.equal(await overworld.flush(), false);
    assert.deepEqual(new Set(errors), new Set(['store_failed']));
    isUnreadable = false;
    await waitUntil('all is sent', () => overworld.flush());
  }
});
