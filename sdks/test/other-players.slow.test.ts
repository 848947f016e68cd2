import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { makeLoginGame } from '../../packages/sdk/test/login-game.ts';
import type { LoginGame } from '../../packages/sdk/test/login-game.ts';
import { startTestServer } from '../../packages/server/test/harness.ts';
import type { TestServer } from '../../packages/server/test/harness.ts';
import { makeDevice } from './device.ts';
import type { Game } from './engine.ts';
import { engines } from './engines.ts';
import { openGate } from './gate.ts';
import type { Gate } from './gate.ts';

let server: TestServer;
let gate: Gate;
let login_game: LoginGame;
before(async () => {
  server = await startTestServer();
  gate = await openGate(server.url);
  login_game = await makeLoginGame(server);
});
after(async () => {
  await gate.close();
  await server.close();
});

const save = (game: Game, of: string) =>
  game.call('saves.save', { text: JSON.stringify({ of }), policy: 'ours' });
const logIn = async (game: Game, account: string): Promise<string> => {
  const token = await login_game.sign(account);
  return game.call('account.login_with', { provider: 'custom', token });
};
const listEvents = async (player_id: string): Promise<string[]> => {
  const path = `/v1/players/${player_id}/timeline?limit=500`;
  const { body } = await server.request('GET', path, { key: login_game.server_key });
  const names = body.events.map((event: { event_name: string }) => event.event_name);
  return names.filter((name: string) => !name.startsWith('session_'));
};

for (const engine of engines) {
  describe(`${engine.name} and other players`, { skip: engine.skip }, () => {
    const onDevice = (t: TestContext) =>
      makeDevice(t, engine, gate.url, {
        player_id: undefined,
        api_key: login_game.production_key,
      });

    test('a client stays its player when another client has logged in, and is told', async (t) => {
      const { start } = await onDevice(t);
      const guest = await start();
      await save(guest, 'guest');
      const guest_id = await guest.call('player_id');
      const other = await start();
      const account_id = await logIn(other, `${engine.name}: other`);
      await save(other, 'account');
      await guest.call('advance', { seconds: 3_600 });
      await save(guest, 'guest, an hour later');
      assert.equal(await guest.call('player_id'), guest_id);
      assert.deepEqual(await guest.call('other_players'), [account_id]);
      assert.deepEqual(await login_game.readSave(guest_id), { of: 'guest, an hour later' });
      assert.deepEqual(await login_game.readSave(account_id), { of: 'account' });
      await guest.kill();
      await other.kill();
      assert.equal(await (await start()).call('player_id'), account_id);
    });

    test("a player's calls and events are sent as this player after another has logged in", async (t) => {
      const { start } = await onDevice(t);
      const first = await start();
      const first_id = await logIn(first, `${engine.name}: first`);
      gate.isShut = true;
      await assert.rejects(save(first, 'first'), /network|timeout/);
      await first.call('track', { event_name: 'of_first' });
      await first.kill();
      gate.isShut = false;
      const next = await start();
      const second_id = await logIn(next, `${engine.name}: second`);
      await save(next, 'second');
      await next.call('track', { event_name: 'of_second' });
      assert.equal(await next.call('flush'), true);
      assert.deepEqual(await login_game.readSave(first_id), { of: 'first' });
      assert.deepEqual(await login_game.readSave(second_id), { of: 'second' });
      assert.deepEqual(await listEvents(first_id), ['of_first']);
      assert.deepEqual(await listEvents(second_id), ['of_second']);
    });

    test("calls of a player who has logged out wait, hold up nobody's, and are sent after the login", async (t) => {
      const { start } = await onDevice(t);
      const account = `${engine.name}: absent`;
      const first = await start();
      const account_id = await logIn(first, account);
      gate.isShut = true;
      await assert.rejects(save(first, 'account'), /network|timeout/);
      await first.call('track', { event_name: 'of_account' });
      await assert.rejects(first.call('account.logout'), /network|timeout/);
      await first.kill();
      gate.isShut = false;
      const next = await start();
      await save(next, 'guest');
      await next.call('track', { event_name: 'of_guest' });
      assert.equal(await next.call('flush'), false);
      const guest_id = await next.call('player_id');
      assert.deepEqual(await login_game.readSave(guest_id), { of: 'guest' });
      assert.deepEqual(await listEvents(guest_id), ['of_guest']);
      assert.equal(await login_game.readSave(account_id), null);
      assert.equal(await next.call('queued_calls'), 1);
      await logIn(next, account);
      await logIn(next, `${account}, a friend`);
      assert.equal(await next.call('flush'), true);
      assert.deepEqual(await login_game.readSave(account_id), { of: 'account' });
      assert.deepEqual(await listEvents(account_id), ['of_account']);
    });
  });
}
