import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { listNumbers, makeClient, makeStore, recordChanges, withClockOff } from './client.ts';
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

test('an anonymous player logs in with the first call, and stays the same at the next start', async () => {
  const store = makeStore();
  const first = makeClient(server, game, { store, playerId: undefined });
  const { playerId } = first.overworld;
  first.overworld.track('step', { n: 1 });
  assert.deepEqual(await first.overworld.identify({ level: 1 }), { level: 1 });
  assert.equal(first.overworld.account.isLoggedIn, true);
  assert.deepEqual(first.overworld.account.providers, ['device']);
  assert.equal(first.overworld.playerId, playerId);
  await first.overworld.close();
  await using next = makeClient(server, game, { store, playerId: undefined });
  assert.equal(next.overworld.account.isLoggedIn, true);
  // The event may have added the platform meanwhile.
  const { level } = await next.overworld.identify({ level: 2 });
  assert.equal(level, 2);
  assert.deepEqual(await listNumbers(server, game, playerId), [1]);
  assert.deepEqual([...first.errors, ...next.errors], []);
});

test('a player moves to another device by a code, and logs out there', async () => {
  await using here = makeClient(server, game, { store: makeStore(), playerId: undefined });
  await here.overworld.saves.save({ level: 7 });
  await using there = makeClient(server, game, { store: makeStore(), playerId: undefined });
  await there.overworld.identify({ level: 1 });
  const { code } = await here.overworld.account.createMoveCode();
  const moved = await there.overworld.account.moveHere(code);
  assert.equal(moved.player_id, here.overworld.playerId);
  assert.equal(there.overworld.playerId, here.overworld.playerId);
  assert.deepEqual((await there.overworld.saves.load())!.data, { level: 7 });
  await assert.rejects(there.overworld.account.moveHere(code), { code: 'not_found' });
  await there.overworld.account.logout();
  assert.equal(there.overworld.account.isLoggedIn, false);
  // The device logs in again. It is still the device of the player who moved to it.
  assert.deepEqual((await there.overworld.saves.load())!.data, { level: 7 });
});

test('a device that was killed while it moved to a player logs in as this player again', async () => {
  await using here = makeClient(server, game, { store: makeStore(), playerId: undefined });
  const { code } = await here.overworld.account.createMoveCode();
  const store = makeStore();
  await using there = makeClient(server, game, { store, playerId: undefined });
  await there.overworld.identify({ level: 1 });
  const moments = recordChanges(store);
  const { player_id } = await there.overworld.account.moveHere(code);
  const startWith = async (found: typeof store) => {
    await using next = makeClient(server, game, { store: found, playerId: undefined });
    await next.overworld.account.getPlayerToken();
    return next.overworld.playerId;
  };
  let moved = 0;
  for (const found of moments) {
    if ((await startWith(found)) !== player_id) continue;
    moved++;
    for (const key of found.values.keys()) if (key.endsWith('login')) found.removeItem(key);
    assert.equal(await startWith(found), player_id);
  }
  assert.ok(moved > 1);
});

test('linked providers are known at the next start', async () => {
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const secret = randomBytes(32).toString('base64url');
  const path = `/v1/games/${game.game_id}/login-providers/custom?environment=production`;
  assert.equal((await server.request('PUT', path, { token, body: { secret } })).status, 200);
  const signed = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('user-7')
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(secret));
  const store = makeStore();
  const first = makeClient(server, game, { store, playerId: undefined });
  await first.overworld.account.link('custom', { token: signed });
  await first.overworld.close();
  const second = makeClient(server, game, { store, playerId: undefined });
  assert.equal(second.overworld.account.isLoggedIn, true);
  assert.deepEqual(second.overworld.account.providers, ['custom', 'device']);
  await second.overworld.account.unlink('custom');
  await second.overworld.close();
  await using third = makeClient(server, game, { store, playerId: undefined });
  assert.equal(third.overworld.account.isLoggedIn, true);
  assert.deepEqual(third.overworld.account.providers, ['device']);
});

test("a first login that met somebody else's page is tried again", async () => {
  await using client = makeClient(proxy, game, { playerId: undefined });
  const page = { status: 404, body: '<html>Not Found</html>' };
  proxy.decide = inTurn(page, page, page, page);
  await client.overworld.identify({ level: 1 });
  assert.equal(client.overworld.account.isLoggedIn, false);
  assert.deepEqual(client.errors, ['bad_answer']);
  await withClockOff(31_000, () => client.overworld.identify({ level: 2 }));
  assert.equal(client.overworld.account.isLoggedIn, true);
});

test('while logins fail, calls are made without a token', async () => {
  await using client = makeClient(proxy, game, { store: makeStore(), playerId: undefined });
  let logins = 0;
  proxy.decide = () => (logins++ === 0 ? { status: 404, body: '{"error":"Not Found"}' } : 'pass');
  assert.deepEqual(await client.overworld.identify({ level: 1 }), { level: 1 });
  assert.equal(client.overworld.account.isLoggedIn, false);
  assert.deepEqual(client.errors, []);
  proxy.decide = () => 'pass';
});
