import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import { fileStore } from '../src/file-store.ts';
import type { OverworldStore } from '../src/overworld.ts';
import {
  listNumbers,
  listStored,
  makeClient,
  makeHeardClient,
  makeStore,
  range,
  trackNumbers,
  withClockOff,
} from './client.ts';
import type { TestStore } from './client.ts';
import { inTurn, startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
before(async () => {
  server = await startTestServer();
  proxy = await startProxy(() => Number(new URL(server.url).port));
});
after(async () => {
  await proxy[Symbol.asyncDispose]();
  await server.close();
});

/** A store of this one's values that others use too, as the tabs of a browser do. */
const share = (store: TestStore): OverworldStore => ({ ...store, shared: true });

/** A store that needs time for everything. */
const slow = (store: TestStore): OverworldStore => {
  const later = async <T>(run: () => T | Promise<T>): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return run();
  };
  return {
    getItem: (key) => later(() => store.getItem(key)),
    setItem: (key, value) => later(() => store.setItem(key, value)),
    removeItem: (key) => later(() => store.removeItem(key)),
    getAllKeys: () => later(() => store.getAllKeys()),
  };
};

for (const fate of ['refuse', 'lose_answer'] as const) {
  for (const kind of ['localStorage', 'an asynchronous store'] as const) {
    test(`events of a client that was killed are sent by the next, once and first: ${fate}, ${kind}`, async () => {
      const game = await server.makeGame();
      const store = makeStore();
      const wrap = (one: TestStore) => (kind === 'localStorage' ? one : slow(one));
      const killed = await makeHeardClient(proxy, game, { store: wrap(store) });
      proxy.decide = inTurn(fate);
      trackNumbers(killed.overworld, 1, 3);
      await killed.overworld.flush();
      trackNumbers(killed.overworld, 4, 6);
      await killed.overworld.stored();

      const left = store.copy();
      // It goes nowhere from here.
      proxy.decide = () => 'refuse';
      await using next = makeClient(server, game, { store: wrap(left) });
      trackNumbers(next.overworld, 7, 9);
      assert.equal(await next.overworld.flush(), true);
      assert.deepEqual(await listNumbers(server, game), range(1, 9));
      assert.deepEqual(
        [...left.values.keys()].filter((key) => key.includes(':e:')),
        [],
      );
      await killed.overworld.close();
      proxy.decide = () => 'pass';
    });
  }
}

test('a client that is killed before any write to its store loses and repeats nothing', async () => {
  const game = await server.makeGame();
  let kills = 0;
  for (let is_over = false; !is_over; kills++) {
    const player_id = `killed-${kills}`;
    const store = makeStore();
    let left: TestStore | null = null;
    let writes = 0;
    const live = (write: () => void) => {
      if (writes++ === kills) left = store.copy();
      if (left === null) write();
    };
    const killed = await makeHeardClient(proxy, game, {
      playerId: player_id,
      store: {
        ...store,
        setItem: (key, value) => live(() => store.setItem(key, value)),
        removeItem: (key) => live(() => store.removeItem(key)),
      },
    });
    proxy.decide = () => (left === null ? 'pass' : 'refuse');
    const accepted: number[] = [];
    for (const n of range(1, 5)) {
      trackNumbers(killed.overworld, n, n);
      if (left === null) accepted.push(n);
      if (n % 2 === 0) await killed.overworld.flush();
    }
    await killed.overworld.flush();
    is_over = left === null;
    await killed.overworld.close();
    await using next = makeClient(server, game, { store: left ?? store, playerId: player_id });
    await next.overworld.flush();
    assert.deepEqual(await listNumbers(server, game, player_id), accepted, `kill ${kills}`);
    proxy.decide = () => 'pass';
  }
  assert.ok(kills > 15, `${kills} kills`);
});

test('what was left is sent at the start, without what is new', async () => {
  for (const wrap of [(store: TestStore) => store, slow]) {
    const game = await server.makeGame();
    const store = makeStore();
    const killed = await makeHeardClient(proxy, game, { store: wrap(store) });
    trackNumbers(killed.overworld, 1, 3);
    await killed.overworld.stored();
    const left = store.copy();
    proxy.decide = () => 'refuse';
    await using next = makeClient(server, game, { store: wrap(left), playerId: 'p-2' });
    trackNumbers(next.overworld, 4, 6);
    await waitUntil('it is sent', async () => (await listNumbers(server, game)).length >= 3);
    assert.deepEqual(await listNumbers(server, game, 'p-2'), []);
    assert.equal(next.overworld.queuedEvents, 3);
    await killed.overworld.close();
    proxy.decide = () => 'pass';
  }
});

test('two clients on one store send what each has tracked, once', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  for (const one of [store, share(makeStore())]) {
    await using first = makeClient(server, game, { store: one, playerId: 'p-1' });
    await using second = makeClient(server, game, { store: one, playerId: 'p-2' });
    await Promise.all(
      range(1, 20).map(async (n) => {
        trackNumbers(first.overworld, n, n);
        trackNumbers(second.overworld, n, n);
        await Promise.all([first.overworld.flush(), second.overworld.flush()]);
      }),
    );
  }
  assert.deepEqual(await listNumbers(server, game, 'p-1'), [...range(1, 20), ...range(1, 20)]);
  assert.deepEqual(await listNumbers(server, game, 'p-2'), [...range(1, 20), ...range(1, 20)]);
});

test('a client that lives sends the events of one that has died', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  await using living = makeClient(server, game, { store, playerId: 'p-2' });
  const dead = await makeHeardClient(proxy, game, { store });
  proxy.decide = inTurn('refuse');
  trackNumbers(dead.overworld, 1, 3);
  // It leaves what it could not send, and its lock.
  await dead.overworld.close();
  assert.deepEqual(await listNumbers(server, game), []);
  assert.equal(await living.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), range(1, 3));
});

test('without Web Locks a queue has one sender too, and another after its lease has run out', async () => {
  const { navigator } = globalThis;
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  try {
    const game = await server.makeGame();
    const store = share(makeStore());
    const frozen = await makeHeardClient(proxy, game, { store });
    proxy.decide = inTurn('lose_answer');
    trackNumbers(frozen.overworld, 1, 3);
    await frozen.overworld.flush();
    trackNumbers(frozen.overworld, 4, 6);

    await using other = makeClient(server, game, { store, playerId: 'p-2' });
    await other.overworld.flush();
    assert.deepEqual(await listNumbers(server, game), range(1, 3));
    await withClockOff(121_000, () => other.overworld.flush());
    assert.deepEqual(await listNumbers(server, game), range(1, 6));

    // It wakes, and does not send what the other has sent.
    trackNumbers(frozen.overworld, 7, 9);
    await frozen.overworld.flush();
    trackNumbers(frozen.overworld, 10, 12);
    await frozen.overworld.flush();
    await other.overworld.flush();
    assert.deepEqual(await listNumbers(server, game), range(1, 12));
    await frozen.overworld.close();
  } finally {
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  }
});

test('what a full store refuses is sent from memory', async () => {
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

test('a blocked store is none', async () => {
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

test('a folder keeps events of a process that ends', async () => {
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

test('an anonymous player is the same at each start, and another one on each device', async () => {
  const game = await server.makeGame();
  for (const wrap of [(store: TestStore) => store, slow]) {
    const store = makeStore();
    const ids = [];
    for (let start = 0; start < 3; start++) {
      await using client = makeClient(server, game, {
        store: wrap(start === 2 ? makeStore() : store),
        playerId: undefined,
      });
      // Tracked before the store has been read.
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

test('who logs in while the store is read does not become the anonymous player', async () => {
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
  assert.deepEqual(body.properties, { n: 2 });
});

test('a session lasts over reloads, and ends after half an hour without events or by close', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  const first = makeClient(server, game, { store });
  trackNumbers(first.overworld, 1, 1);
  await first.overworld.flush();
  // Reloaded: not closed.
  const second = makeClient(server, game, { store });
  await withClockOff(29 * 60_000, async () => {
    trackNumbers(second.overworld, 2, 2);
    await second.overworld.flush();
  });
  await withClockOff(60 * 60_000, async () => {
    trackNumbers(second.overworld, 3, 3);
    await second.overworld.close();
  });
  const stored = await listStored(server, game, { withSessions: true });
  const [one, other] = new Set(stored.map(({ session_id }) => session_id));
  assert.deepEqual(
    stored.map(({ event_name, session_id }) => [event_name, session_id]),
    [
      ['session_start', one],
      ['step', one],
      ['step', one],
      ['session_end', one],
      ['session_start', other],
      ['step', other],
      ['session_end', other],
    ],
  );
  const durations = stored
    .filter(({ event_name }) => event_name === 'session_end')
    .map(({ properties }) => Math.round((properties.duration_ms as number) / 60_000));
  assert.deepEqual(durations, [29, 0]);
  await first.overworld.close();
});

test('tabs play in one session, and each renewal is one', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  await using first = makeClient(server, game, { store });
  await using second = makeClient(server, game, { store });
  for (const minutes of [0, 40]) {
    await withClockOff(minutes * 60_000, async () => {
      first.overworld.track('step');
      second.overworld.track('step');
      await first.overworld.flush();
      await second.overworld.flush();
    });
  }
  const stored = await listStored(server, game, { withSessions: true });
  assert.equal(stored.filter(({ event_name }) => event_name === 'session_start').length, 2);
  assert.equal(stored.filter(({ event_name }) => event_name === 'session_end').length, 1);
  await waitUntil('nothing waits', async () => first.overworld.queuedEvents === 0);
});
