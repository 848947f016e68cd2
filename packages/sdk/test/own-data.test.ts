import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { SignJWT } from 'jose';
import { earlier } from '../../server/test/earlier.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { OverworldServer } from '../src/server/server.ts';
import { listNumbers, makeClient, makeStore, trackNumbers } from './client.ts';
import { startNetwork } from './network.ts';
import { inTurn } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let network: Awaited<ReturnType<typeof startNetwork>>;
let server: TestServer;
let proxy: Proxy;
let game: TestGame;
let studio: OverworldServer;
before(async () => {
  network = await startNetwork();
  ({ server, proxy } = network);
});
after(() => network.close());
beforeEach(async () => {
  proxy.decide = () => 'pass';
  game = await server.makeGame();
  const apiKey = await server.makeKey(game.game_id, 'production', 'server');
  studio = new OverworldServer({ baseUrl: server.url, apiKey });
});

const makePlayer = (store = makeStore()) => makeClient(proxy, game, { playerId: undefined, store });

const ageLogins = () => {
  const past = sql`interval '6 minutes'`;
  return server.database.ofGame(game.game_id).execute(sql`
    UPDATE player_login_sessions SET opened_at = ${earlier(sql`opened_at`, past)}`);
};

test('a match server learns from the player token which player a client is', async () => {
  await using client = makePlayer();
  const token = await client.overworld.account.getPlayerToken();
  const { player_id, providers } = await studio.verifyPlayer(token);
  assert.deepEqual([player_id, providers], [client.overworld.playerId, ['device']]);
});

test('a client without a login has no player token', async () => {
  await using client = makeClient(proxy, game);
  await assert.rejects(client.overworld.account.getPlayerToken(), { code: 'unauthorized' });
});

test('an erased player is gone from the server and the device, and a new player goes on', async () => {
  const store = makeStore();
  await using client = makePlayer(store);
  const { overworld } = client;
  await overworld.saves.save({ level: 1 });
  const { playerId } = overworld;
  trackNumbers(overworld, 1, 2);
  await ageLogins();
  assert.deepEqual(Object.keys((await overworld.account.exportData()).player).slice(0, 1), [
    'player_id',
  ]);
  await overworld.account.erasePlayer();
  assert.notEqual(overworld.playerId, playerId);
  assert.deepEqual(await listNumbers(server, game, playerId), []);
  assert.equal(await overworld.saves.load(), null);
  await overworld.saves.save({ level: 2 });
  trackNumbers(overworld, 3, 3);
  await overworld.flush();
  assert.deepEqual(await listNumbers(server, game, overworld.playerId), [3]);
  await assert.rejects(studio.player(playerId).get(), { code: 'not_found' });
  const stored = [...store.values].flat().join();
  assert.ok(!stored.includes(playerId), stored);
  await using next = makePlayer(store.copy());
  assert.equal(next.overworld.playerId, overworld.playerId);
});

test('an erasure whose answer was lost succeeds', async () => {
  await using client = makePlayer();
  const { overworld } = client;
  await overworld.saves.save({ level: 1 });
  await overworld.flush();
  const { playerId } = overworld;
  // The first request is the login.
  proxy.decide = inTurn('pass', 'lose_answer');
  await overworld.account.erasePlayer();
  await assert.rejects(studio.player(playerId).get(), { code: 'not_found' });
  assert.notEqual(overworld.playerId, playerId);
});

test('waiting calls and events of an erased player are dropped', async () => {
  await using client = makePlayer();
  const { overworld } = client;
  await overworld.saves.save({ level: 1 });
  await overworld.flush();
  const { playerId } = overworld;
  proxy.decide = () => 'refuse';
  await assert.rejects(overworld.leaderboards.submit('arena', 5), { isKept: true });
  proxy.decide = () => 'pass';
  const erased = overworld.account.erasePlayer();
  trackNumbers(overworld, 1, 1);
  await erased;
  assert.equal(overworld.queuedCalls, 0);
  await overworld.flush();
  await assert.rejects(studio.player(playerId).get(), { code: 'not_found' });
});

test('an erasure by a login that is not new enough erases nothing', async () => {
  await using client = makePlayer();
  const { overworld } = client;
  const secret = 'a secret of the studio that is long enough';
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const path = `/v1/games/${game.game_id}/login-providers/custom?environment=production`;
  const registered = await server.request('PUT', path, { token, body: { secret } });
  assert.ok(registered.status < 300, registered.text);
  const jwt = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('account-1')
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(secret));
  const { player_id } = await overworld.account.loginWith('custom', { token: jwt });
  await ageLogins();
  await assert.rejects(overworld.account.erasePlayer(), { code: 'forbidden' });
  assert.equal(overworld.playerId, player_id);
  assert.equal((await studio.player(player_id).get()).player_id, player_id);
});

test('while tracking is not enabled, nothing is erased and no token is given', async () => {
  await using client = makeClient(proxy, game, { playerId: undefined, trackingEnabled: false });
  const { account } = client.overworld;
  await assert.rejects(account.erasePlayer(), { code: 'tracking_disabled' });
  await assert.rejects(account.exportData(), { code: 'tracking_disabled' });
  await assert.rejects(account.getPlayerToken(), { code: 'unauthorized' });
});
