import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { makeClient, makeStore } from './client.ts';
import { startNetwork } from './network.ts';
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

test('each slot has a save of its own, and the list has all slots', async () => {
  await using client = makeClient(server, game, { playerId: 'collector' });
  const { saves } = client.overworld;
  assert.deepEqual(await saves.list(), []);
  await saves.save({ level: 1 });
  await saves.save({ level: 20 }, { slot: 'zoo' });
  await saves.save({ level: 30 }, { slot: 'arena & co' });
  assert.equal((await saves.save({ level: 21 }, { slot: 'zoo' })).version, 2);
  assert.deepEqual((await saves.load())!.data, { level: 1 });
  assert.deepEqual((await saves.load({ slot: 'zoo' }))!.data, { level: 21 });
  await saves.delete({ slot: 'arena & co' });
  assert.equal(await saves.load({ slot: 'arena & co' }), null);
  const slots = await saves.list();
  assert.deepEqual(
    slots.map(({ slot, version, size_bytes }) => [slot, version, size_bytes]),
    [
      ['main', 1, 11],
      ['zoo', 2, 12],
    ],
  );
});

test('a call without a slot uses the main slot', async () => {
  await using client = makeClient(server, game, { playerId: 'namer' });
  const { saves } = client.overworld;
  await saves.save({ level: 1 });
  assert.equal((await saves.save({ level: 2 }, { slot: 'main' })).version, 2);
  assert.equal((await saves.save({ level: 3 })).version, 3);
  assert.deepEqual((await saves.load({ slot: 'main' }))!.data, { level: 3 });
});

test('a slot that was saved without a network is in the list when the network is back', async () => {
  await using client = makeClient(proxy, game, { playerId: 'traveller', store: makeStore() });
  const { saves } = client.overworld;
  proxy.decide = () => ({
    status: 503,
    headers: { 'retry-after': '60' },
    body: '{"error":"Busy"}',
  });
  await assert.rejects(saves.save({ level: 4 }, { slot: 'train' }), { isKept: true });
  proxy.decide = () => 'pass';
  assert.deepEqual(
    (await saves.list()).map(({ slot }) => slot),
    ['train'],
  );
});
