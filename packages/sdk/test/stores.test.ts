import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../../server/test/harness.ts';
import { fileStore } from '../src/stores/file-store.ts';
import type { OverworldStore } from '../src/overworld.ts';
import {
  listNumbers,
  makeClient,
  makeHeardClient,
  makeStore,
  range,
  slow,
  trackNumbers,
} from './client.ts';
import type { TestStore } from './client.ts';
import { startNetwork } from './network.ts';
import { inTurn } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
});
after(() => close());

test('events that a full store refuses are sent from memory', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  const full: OverworldStore = {
    ...store,
    setItem(key, value) {
      if (store.values.size > 3) throw new Error('QuotaExceededError');
      store.setItem(key, value);
    },
  };
  await using client = await makeHeardClient(proxy, game, { store: full });
  proxy.decide = inTurn('lose_answer');
  trackNumbers(client.overworld, 1, 10);
  await client.overworld.flush();
  trackNumbers(client.overworld, 11, 12);
  assert.equal(await client.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), range(1, 12));
});

test('a blocked store is not used', async () => {
  const game = await server.makeGame();
  const fail = () => {
    throw new Error('SecurityError');
  };
  const store = { getItem: fail, setItem: fail, removeItem: fail, getAllKeys: fail };
  for (const one of [store, slow({ ...makeStore(), ...store })]) {
    await using client = makeClient(server, game, { store: one });
    trackNumbers(client.overworld, 1, 2);
    await client.overworld.flush();
    await client.overworld.ready;
    assert.match(client.overworld.playerId, /./);
  }
  assert.deepEqual(await listNumbers(server, game), [1, 2, 1, 2]);
});

test('events that an ended process left in its folder are sent by the next process', async () => {
  const game = await server.makeGame();
  const folder = await mkdtemp(join(tmpdir(), 'overworld-sdk-'));
  try {
    const first = await makeHeardClient(proxy, game, { store: fileStore(folder) });
    proxy.decide = () => 'refuse';
    trackNumbers(first.overworld, 1, 150);
    await first.overworld.close();
    proxy.decide = () => 'pass';
    assert.ok((await readdir(folder)).length > 150);

    await using next = makeClient(server, game, { store: fileStore(folder) });
    trackNumbers(next.overworld, 151, 160);
    await next.overworld.flush();
    assert.deepEqual(await listNumbers(server, game), range(1, 160));
    assert.ok((await readdir(folder)).length < 8);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a folder that cannot be made is not used', async () => {
  const game = await server.makeGame();
  const folder = await mkdtemp(join(tmpdir(), 'overworld-sdk-'));
  try {
    await writeFile(join(folder, 'file'), '');
    const store = fileStore(join(folder, 'file', 'folder'));
    // The pause is long enough to notice an unhandled rejection.
    await sleep(50);
    await using client = makeClient(server, game, { store });
    trackNumbers(client.overworld, 1, 2);
    await client.overworld.flush();
    assert.deepEqual(await listNumbers(server, game), [1, 2]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an anonymous player stays the same on a device and differs between devices', async () => {
  const game = await server.makeGame();
  for (const wrap of [(store: TestStore) => store, slow]) {
    const store = makeStore();
    const ids = [];
    for (let start = 0; start < 3; start++) {
      await using client = makeClient(server, game, {
        store: wrap(start === 2 ? makeStore() : store),
        playerId: undefined,
      });
      // This event is tracked before the store has been read.
      client.overworld.track('step', { n: start });
      await client.overworld.flush();
      const { playerId } = client.overworld;
      assert.deepEqual((await listNumbers(server, game, playerId)).at(-1), start);
      ids.push(playerId);
    }
    assert.match(ids[0]!, /^[0-9a-f]{32}$/);
    assert.equal(ids[0], ids[1]);
    assert.notEqual(ids[0], ids[2]);
  }
});

test('a player who logs in while the store is loaded does not become the anonymous player', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  const start = () => makeClient(server, game, { store: slow(store), playerId: undefined });
  const ids = [];
  for (const [n, account] of ['account-7', 'account-8', undefined].entries()) {
    await using client = start();
    const { overworld } = client;
    overworld.track('step', { n });
    const identified = overworld.identify({ n });
    if (account) overworld.setPlayerId(account);
    overworld.track('step', { n });
    await identified;
    await overworld.flush();
    assert.deepEqual(await listNumbers(server, game, account), account ? [n] : []);
    ids.push(overworld.playerId);
  }
  const [, , anonymous] = ids;
  assert.deepEqual(ids.slice(0, 2), ['account-7', 'account-8']);
  assert.match(anonymous!, /^[0-9a-f]{32}$/);
  assert.deepEqual(await listNumbers(server, game, anonymous), [0, 1, 2, 2]);
  const { body } = await server.request('GET', `/v1/players/${anonymous}`, {
    key: game.production_key,
  });
  assert.equal(body.properties.n, 2);
});
