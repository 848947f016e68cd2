import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { makeDevice, makeLoginGame, refusalOf } from './login-game.ts';
import type { Device, LoginGame } from './login-game.ts';

let server: TestServer;
let game: LoginGame;
let key: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  game = await makeLoginGame(server);
  key = await server.makeKey(game.game_id, 'production', 'server');
});

const merge = (player_id: string, from_player_id: string) =>
  server.request('POST', `/v1/players/${player_id}/merge`, { key, body: { from_player_id } });

/** Logs in with a new device. */
async function join(): Promise<{
  device: Device;
  player_id: string;
  refresh_token: string;
  player_token: string;
}> {
  const device = makeDevice();
  const { body } = await game.logIn(device);
  return { device, ...body };
}

const addIdentity = (player_id: string, provider: string, subject: string) =>
  server.database.execute(sql`
    INSERT INTO player_identities (game_id, environment, provider, subject, player_id)
    VALUES (${game.game_id}, 'production', ${provider}, ${subject}, ${player_id})`);

test('after a merge, both devices log in as one player, and the other player has no session', async () => {
  const [a, b] = [await join(), await join()];
  const { body } = await merge(b.player_id, a.player_id);
  assert.deepEqual(body.changes.logins, ['device']);
  for (const { device } of [a, b]) {
    const answer = await game.logIn(device);
    assert.deepEqual([answer.status, answer.body.player_id], [200, b.player_id]);
  }
  assert.equal((await game.refresh(a.refresh_token)).status, 401);
  assert.equal((await game.refresh(b.refresh_token)).status, 200);
});

test('a player without logins who gets logins from a merge is claimed from then on', async () => {
  const a = await join();
  const identify = (player_id: string) =>
    server.request('POST', '/v1/identify', {
      key: game.production_key,
      body: { player_id, properties: {} },
    });
  await identify('b');
  await game.steer('PATCH', '/player-verification', { verification: 'claimed' });
  await waitUntil('the key knows the setting', async () => {
    return (await identify(a.player_id)).status === 401;
  });
  await merge('b', a.player_id);
  assert.equal((await identify('b')).status, 401);
  assert.equal((await game.logIn(a.device)).body.player_id, 'b');
});

test('a merge of two players who together have too many logins gets 409 and changes nothing', async () => {
  const [a, b] = [await join(), await join()];
  for (let n = 0; n < 5; n++) {
    await addIdentity(a.player_id, 'device', `device ${n} of a`);
    await addIdentity(b.player_id, 'device', `device ${n} of b`);
  }
  assert.deepEqual(refusalOf(await merge(b.player_id, a.player_id)), [
    409,
    'Together the players have 12 logins, and a player can have at most 10: remove some first',
  ]);
  assert.equal((await game.logIn(a.device)).body.player_id, a.player_id);
});

test('a merge of two players who both have a Steam login gets 409, and the error names Steam', async () => {
  const [a, b] = [await join(), await join()];
  await addIdentity(a.player_id, 'steam', '1');
  await addIdentity(b.player_id, 'steam', '2');
  assert.deepEqual(refusalOf(await merge(b.player_id, a.player_id)), [
    409,
    'Both players have a login of steam, and a player can have one: remove one first',
  ]);
});

test('logins and links during a merge leave no login or session with the player whom the merge ends', async () => {
  for (let round = 0; round < 6; round++) {
    const [a, b] = [await join(), await join()];
    const [merged, ...others] = await Promise.all([
      merge(b.player_id, a.player_id),
      ...Array.from({ length: 6 }, () => game.logIn(a.device)),
      game.link(a.player_token, makeDevice()),
      game.link(b.player_token, makeDevice()),
    ]);
    assert.equal(merged.status, 200, merged.text);
    assert.ok(others.every(({ status }) => status < 500));
    const rows = await server.database.query<{ player_id: string }>(sql`
      SELECT player_id FROM player_identities
      WHERE game_id = ${game.game_id} AND player_id = ${a.player_id}
      UNION ALL
      SELECT player_id FROM player_login_sessions
      WHERE game_id = ${game.game_id} AND player_id = ${a.player_id}`);
    assert.deepEqual(rows, []);
    assert.equal((await game.logIn(a.device)).body.player_id, b.player_id);
  }
});
