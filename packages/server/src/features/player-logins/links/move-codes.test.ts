import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { hashTypedCode } from '../../../platform/auth/typed-code.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeDevice, makeLoginGame, refusalOf } from '../test/login-game.ts';
import type { Device, LoginGame } from '../test/login-game.ts';

let server: TestServer;
let game: LoginGame;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
  game = await makeLoginGame(server);
});
after(() => server.close());

const WRONG = 'This code is wrong or has expired';

let addresses = 0;
const newAddress = () => `198.51.100.${++addresses}`;
const makeCode = (player_token: string, ip = newAddress()) =>
  server.request('POST', '/v1/players/move-code', {
    key: game.production_key,
    headers: { 'x-player-token': player_token, 'x-forwarded-for': ip },
  });
/** Sends a code, by default from a new IP address. */
const move = (code: string, device: Device, ip = newAddress(), of = game) =>
  server.request('POST', '/v1/players/move', {
    key: of.production_key,
    body: { code, ...device },
    headers: { 'x-forwarded-for': ip },
  });
const logIn = async () =>
  (await game.logIn(makeDevice())).body as { player_id: string; player_token: string };
/** A code that nobody has made. */
const WRONG_CODE = '2222-2222-2222';
const forgetAttempts = () => server.database.execute(sql`DELETE FROM attempt_counts`);

test('a code logs one new device in as the same player', async () => {
  const { player_id, player_token } = await logIn();
  const made = await makeCode(player_token);
  assert.equal(made.status, 201);
  assert.match(made.body.code, /^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
  const left_ms = Date.parse(made.body.expires_at) - Date.now();
  assert.ok(left_ms > 590_000 && left_ms < 610_000, `${left_ms} ms`);
  const device = makeDevice();
  const moved = await move(made.body.code, device);
  assert.deepEqual([moved.status, moved.body.player_id], [200, player_id]);
  assert.equal((await game.logIn(device)).body.player_id, player_id);
  const repeat = await move(made.body.code, device);
  assert.deepEqual([repeat.status, repeat.body.player_id], [200, player_id]);
  assert.deepEqual(refusalOf(await move(made.body.code, makeDevice())), [404, WRONG]);
});

test('an expired or replaced code, or one of another game, answers 404', async () => {
  await forgetAttempts();
  const { player_token } = await logIn();
  const first = (await makeCode(player_token)).body.code;
  const second = (await makeCode(player_token)).body.code;
  assert.deepEqual(refusalOf(await move(first, makeDevice())), [404, WRONG]);
  const other = await makeLoginGame(server);
  assert.equal((await move(second, makeDevice(), undefined, other)).status, 404);
  await server.database
    .ofGame(game.game_id)
    .execute(sql`UPDATE player_move_codes SET expires_at = now()`);
  assert.deepEqual(refusalOf(await move(second, makeDevice())), [404, WRONG]);
});

test('a device that belongs to another player answers 409, and the code stays valid', async () => {
  await forgetAttempts();
  const { player_id, player_token } = await logIn();
  const { code } = (await makeCode(player_token)).body;
  const device = makeDevice();
  const other = await game.logIn(device);
  const refused = await move(code, device);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /^This device belongs to another player/);
  assert.equal((await game.logIn(device)).body.player_id, other.body.player_id);
  assert.equal((await move(code, makeDevice())).body.player_id, player_id);
});

test('an IP address may try five codes a minute', async () => {
  await forgetAttempts();
  const { code } = (await makeCode((await logIn()).player_token)).body;
  const ip = '203.0.113.9';
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal((await move(WRONG_CODE, makeDevice(), ip)).status, 404);
  }
  assert.equal((await move(code, makeDevice(), ip)).status, 429);
});

test('an IP address gets five codes a minute', async () => {
  await forgetAttempts();
  const ip = '203.0.113.10';
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal((await makeCode((await logIn()).player_token, ip)).status, 201);
  }
  const { player_token } = await logIn();
  assert.equal((await makeCode(player_token, ip)).status, 429);
  assert.equal((await makeCode(player_token)).status, 201);
});

test('wrong codes of many networks block no player of the game', async () => {
  await forgetAttempts();
  const { player_id, player_token } = await logIn();
  const { code } = (await makeCode(player_token)).body;
  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => move(WRONG_CODE, makeDevice())),
  );
  assert.deepEqual(new Set(guesses.map(({ status }) => status)), new Set([404]));
  const moved = await move(code, makeDevice());
  assert.deepEqual([moved.status, moved.body.player_id], [200, player_id]);
});

test('a player may type a code in lower case, without dashes or with spaces', async () => {
  await forgetAttempts();
  const { player_id, player_token } = await logIn();
  for (const dash of ['', ' ', ' - ']) {
    const { code } = (await makeCode(player_token)).body;
    const typed = ` ${code.toLowerCase().replaceAll('-', dash)} `;
    assert.equal((await move(typed, makeDevice())).body.player_id, player_id);
  }
});

test('the database has no code as the player sees it', async () => {
  await forgetAttempts();
  const { player_id, player_token } = await logIn();
  const { code } = (await makeCode(player_token)).body;
  const stored = await server.database
    .ofGame(game.game_id)
    .queryOne<{ code: string }>(
      sql`SELECT code FROM player_move_codes WHERE player_id = ${player_id}`,
    );
  assert.equal(stored!.code, hashTypedCode(code));
});

test('a code of six digits, as earlier releases made them, answers 404', async () => {
  await forgetAttempts();
  assert.deepEqual(refusalOf(await move('048213', makeDevice())), [404, WRONG]);
});

test('if two devices use a code at the same time, only one of them is moved', async () => {
  await forgetAttempts();
  const { code } = (await makeCode((await logIn()).player_token)).body;
  const answers = await Promise.all([move(code, makeDevice()), move(code, makeDevice())]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404]);
});
