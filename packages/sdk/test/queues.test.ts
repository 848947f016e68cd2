import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import type { OverworldStore } from '../src/overworld.ts';
import {
  listNumbers,
  makeClient,
  makeHeardClient,
  makeStore,
  range,
  slow,
  trackNumbers,
  withClockOff,
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

/** Marks a store as one that several tabs share. */
const share = (store: TestStore): OverworldStore => ({ ...store, shared: true });

for (const fate of ['refuse', 'lose_answer'] as const) {
  for (const kind of ['localStorage', 'an asynchronous store'] as const) {
    test(`a killed client's events are sent once, before the next client's: ${fate}, ${kind}`, async () => {
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
      // From here on, no request of the killed client gets through.
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

test('a kill right before any of the writes to the store loses no event and repeats none', async () => {
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

test('a start sends the events that an earlier start left, while its own new events still wait', async () => {
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

test('two clients on one store send each event once', async () => {
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

test('a living client sends the events of a dead client', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  await using living = makeClient(server, game, { store, playerId: 'p-2' });
  const dead = await makeHeardClient(proxy, game, { store });
  proxy.decide = inTurn('refuse');
  trackNumbers(dead.overworld, 1, 3);
  // The client leaves its unsent events in the store and releases its lock.
  await dead.overworld.close();
  assert.deepEqual(await listNumbers(server, game), []);
  assert.equal(await living.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), range(1, 3));
});

test('without Web Locks one client sends a queue, and another takes over when the lease ends', async () => {
  const { navigator } = globalThis;
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  try {
    const game = await server.makeGame();
    const store = share(makeStore());
    const frozen = await makeHeardClient(proxy, game, { store });
    proxy.decide = inTurn('lose_answer');
    trackNumbers(frozen.overworld, 1, 3);
    await frozen.overworld.flush();
    // The frozen client sends nothing, not even a second try.
    proxy.decide = () => 'refuse';
    trackNumbers(frozen.overworld, 4, 6);

    await using other = makeClient(server, game, { store, playerId: 'p-2' });
    await other.overworld.flush();
    assert.deepEqual(await listNumbers(server, game), range(1, 3));
    await withClockOff(121_000, () => other.overworld.flush());
    assert.deepEqual(await listNumbers(server, game), range(1, 6));

    // The frozen client wakes, and does not send the events that the other client has sent.
    proxy.decide = () => 'pass';
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
