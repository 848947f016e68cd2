import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { OverworldError } from '../src/overworld.ts';
import type { ConflictPolicy, Overworld, SaveConflict } from '../src/overworld.ts';
import { makeClient } from './client.ts';
import { startNetwork } from './network.ts';
import { inTurn } from './proxy.ts';
import type { Proxy } from './proxy.ts';

interface State {
  level: number;
  coins?: number;
  seen?: string[];
}

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
let game: TestGame;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
  game = await server.makeGame();
});
after(() => close());

const load = async (player_id: string) => {
  const path = `/v1/saves?player_id=${player_id}`;
  return (await server.request('GET', path, { key: game.production_key })).body;
};

/** Makes two devices of one player that both know the same save. */
async function makeDevices(playerId: string, first: State) {
  const here = makeClient(proxy, game, { playerId });
  const there = makeClient(server, game, { playerId });
  await here.overworld.saves.save(first);
  await there.overworld.saves.load();
  return {
    here: here.overworld,
    there: there.overworld,
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
    },
  };
}

test('saves are stored, loaded and deleted, and their versions are counted', async () => {
  await using client = makeClient(server, game, { playerId: 'one' });
  const { saves } = client.overworld;
  assert.equal(await saves.load(), null);
  await saves.delete();
  const first = await saves.save({ level: 1 });
  assert.deepEqual([first.version, first.data, first.wasConflict], [1, { level: 1 }, false]);
  assert.equal((await saves.save({ level: 2 })).version, 2);
  assert.deepEqual((await saves.load<State>())!.data, { level: 2 });
  await saves.delete();
  assert.equal(await saves.load(), null);
  assert.equal((await saves.save({ level: 3 })).version, 3);
});

test('saves of one client are stored in the order of the calls, each with the data at its call', async () => {
  await using client = makeClient(server, game, { playerId: 'in-turn' });
  const { saves } = client.overworld;
  const state: State = { level: 0 };
  const results = [];
  while (state.level < 10) {
    state.level++;
    results.push(saves.save(state));
  }
  const versions = (await Promise.all(results)).map(({ version, data }) => [version, data.level]);
  assert.deepEqual(
    versions,
    Array.from({ length: 10 }, (_, index) => [index + 1, index + 1]),
  );
});

test('without onConflict every save fails after a conflict until the next load', async () => {
  await using devices = await makeDevices('no-policy', { level: 1 });
  await devices.there.saves.save({ level: 5 });
  for (let attempt = 0; attempt < 2; attempt++) {
    await assert.rejects(devices.here.saves.save({ level: 2 }), (error: unknown) => {
      assert.ok(error instanceof OverworldError);
      assert.equal(error.code, 'conflict');
      assert.equal(error.status, 409);
      assert.deepEqual(error.body.server_data, { level: 5 });
      return true;
    });
  }
  assert.deepEqual(await devices.here.saves.load().then((save) => save!.data), { level: 5 });
  assert.equal((await devices.here.saves.save({ level: 6 })).version, 3);
});

test('a client that has not loaded a save does not overwrite it', async () => {
  await using first = makeClient(server, game, { playerId: 'unloaded' });
  await first.overworld.saves.save({ level: 9 });
  await using second = makeClient(server, game, { playerId: 'unloaded' });
  await assert.rejects(second.overworld.saves.save({ level: 1 }), { code: 'conflict' });
  assert.deepEqual((await load('unloaded')).data, { level: 9 });
});

const base: State = { level: 1, coins: 10, seen: [] };
const ours: State = { level: 2, coins: 10, seen: ['here'] };
const theirs: State = { level: 1, coins: 30 };
const cases: [string, ConflictPolicy<State>, State][] = [
  ['ours', 'ours', ours],
  ['theirs', 'theirs', theirs],
  ['newest', 'newest', ours],
  // This device changed `level` and `seen`, and the other device changed `coins`.
  ['per-field', 'per-field', { level: 2, coins: 30, seen: ['here'] }],
  [
    'a function',
    async (conflict: SaveConflict<State>) => {
      assert.deepEqual(conflict.base, base);
      return { ...conflict.ours, coins: conflict.theirs.coins! + 1 };
    },
    { level: 2, coins: 31, seen: ['here'] },
  ],
];
for (const [name, onConflict, expected] of cases) {
  test(`a conflict is resolved by the policy: ${name}`, async () => {
    const player = `policy-${name.replace(' ', '-')}`;
    await using devices = await makeDevices(player, base);
    await devices.there.saves.save(theirs);
    const result = await devices.here.saves.save(ours, { onConflict });
    assert.deepEqual(result.data, expected);
    assert.equal(result.wasConflict, true);
    const stored = await load(player);
    assert.deepEqual(stored.data, expected);
    assert.equal(stored.version, result.version);
    // With the policy 'theirs' nothing is stored, so the version stays the same.
    assert.equal(result.version, name === 'theirs' ? 2 : 3);
    assert.equal((await devices.here.saves.save({ level: 9 })).wasConflict, false);
  });
}

test('per-field keeps the fields on the server if the client has not loaded them', async () => {
  await using first = makeClient(server, game, { playerId: 'blind' });
  await first.overworld.saves.save({ level: 30, coins: 900 });
  await using second = makeClient(server, game, { playerId: 'blind' });
  const { saves } = second.overworld;
  const onConflict = 'per-field';
  const merged = await saves.save<State>({ level: 2, seen: ['here'] }, { onConflict });
  assert.deepEqual(merged.data, { level: 30, coins: 900, seen: ['here'] });
  assert.deepEqual((await load('blind')).data, merged.data);
  const next = await saves.save<State>({ ...merged.data, level: 31 }, { onConflict });
  assert.deepEqual([next.data.level, next.wasConflict], [31, false]);
});

test("the policy 'newest' takes the save of the other device if it was stored after this call", async () => {
  await using devices = await makeDevices('late', base);
  proxy.decide = inTurn('refuse');
  const saving = devices.here.saves.save(ours, { onConflict: 'newest' });
  // The first attempt is cut off, and the other device saves in the meantime. The pause makes the save of the
  // other device clearly later, because the clocks of client and server are compared in whole milliseconds.
  await sleep(50);
  await devices.there.saves.save(theirs);
  assert.deepEqual((await saving).data, theirs);
});

test('a field that this device removed stays removed, and `__proto__` is a normal field', async () => {
  await using devices = await makeDevices('removed', base);
  await devices.there.saves.save({ ...base, coins: 99 });
  const odd = JSON.parse('{"level":1,"coins":10,"__proto__":{"a":1}}') as State;
  const { data } = await devices.here.saves.save(odd, { onConflict: 'per-field' });
  assert.equal(JSON.stringify(data), '{"level":1,"coins":99,"__proto__":{"a":1}}');
});

test('a save whose answer was lost does not conflict with itself', async () => {
  await using client = makeClient(proxy, game, { playerId: 'lost' });
  await client.overworld.saves.save({ level: 1 });
  proxy.decide = inTurn('lose_answer');
  const result = await client.overworld.saves.save({ level: 2 });
  assert.deepEqual([result.version, result.wasConflict], [2, false]);
  assert.equal((await load('lost')).version, 2);
});

test('devices that save at the same time merge until all saves are stored', async () => {
  const devices = Array.from({ length: 4 }, () => makeClient(server, game, { playerId: 'many' }));
  const add = async ({ saves }: Overworld, entry: string) => {
    await saves.save<State>(
      { level: 1, seen: [entry] },
      {
        onConflict: (conflict) => ({
          level: 1,
          seen: [...new Set([...conflict.theirs.seen!, ...conflict.ours.seen!])],
        }),
      },
    );
  };
  await Promise.all(devices.map(({ overworld }, index) => add(overworld, `device ${index}`)));
  assert.deepEqual(((await load('many')).data as State).seen!.toSorted(), [
    'device 0',
    'device 1',
    'device 2',
    'device 3',
  ]);
  for (const device of devices) await device[Symbol.asyncDispose]();
});

test('a delete whose answer was lost is not sent again', async () => {
  await using client = makeClient(proxy, game, { playerId: 'deleted' });
  await client.overworld.saves.save({ level: 1 });
  const requests = proxy.requests;
  proxy.decide = inTurn('lose_answer');
  await assert.rejects(client.overworld.saves.delete(), { code: 'network', status: 0 });
  assert.equal(proxy.requests - requests, 1);
});

test('a 404 of a proxy does not count as a missing save', async () => {
  await using client = makeClient(proxy, game, { playerId: 'portal' });
  proxy.decide = () => ({ status: 404, body: '<html>Not Found</html>' });
  await assert.rejects(client.overworld.saves.load(), { code: 'bad_answer', status: 404 });
  proxy.decide = () => 'pass';
});

test('a save that is too large gets an error that says so', async () => {
  await using client = makeClient(server, game, { playerId: 'large' });
  await assert.rejects(
    client.overworld.saves.save({ text: 'x'.repeat(102_400) }),
    ({ code, status, requestId, body }: OverworldError) => {
      assert.deepEqual([code, status, body.limit_bytes], ['too_large', 413, 102_400]);
      assert.match(requestId!, /^[0-9a-f-]{36}$/);
      return true;
    },
  );
});
