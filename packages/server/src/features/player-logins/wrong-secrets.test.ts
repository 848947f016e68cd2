import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { makeDevice, makeLoginGame, refusalOf } from './test/login-game.ts';
import type { Device, LoginGame } from './test/login-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
});
after(() => server.close());

const logInFrom = (ip: string, { production_key: key }: LoginGame, device: Device) =>
  server.request('POST', '/v1/players/login', {
    key,
    body: device,
    headers: { 'x-forwarded-for': ip },
  });

/**
 * Sends `count` wrong secrets for a device at the same time. @returns the number of answers with each status.
 */
async function guess(count: number, ip: string, game: LoginGame, device: Device) {
  const { secret } = makeDevice();
  const answers = await Promise.all(
    Array.from({ length: count }, () => logInFrom(ip, game, { ...device, secret })),
  );
  const statuses = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries(Array.from(statuses, ([status, { length }]) => [status, length]));
}

test('a network may send thirty wrong secrets a minute for one login, even if many arrive at the same time', async () => {
  const game = await makeLoginGame(server);
  const device = makeDevice();
  await game.logIn(device);
  const wrong = await game.logIn({ ...device, secret: makeDevice().secret });
  assert.deepEqual(refusalOf(wrong), [401, 'Wrong device secret']);
  assert.deepEqual(await guess(60, '198.51.100.1', game, device), { 401: 30, 429: 30 });
  const refused = await logInFrom('198.51.100.1', game, device);
  assert.deepEqual(
    [refused.status, refused.body.message, refused.headers.get('retry-after')],
    [429, 'Too many wrong secrets of this login, retry in 60 seconds', '60'],
  );
});

test('wrong secrets for a login block neither other logins nor the same login from another network', async () => {
  const game = await makeLoginGame(server);
  const [device, other] = [makeDevice(), makeDevice()];
  for (const each of [device, other]) await game.logIn(each);
  const ip = '198.51.100.2';
  assert.deepEqual(await guess(31, ip, game, device), { 401: 30, 429: 1 });
  assert.equal((await logInFrom(ip, game, other)).status, 200);
  assert.equal((await logInFrom(ip, game, makeDevice())).status, 201);
  assert.equal((await logInFrom('198.51.100.3', game, device)).status, 200);
});

test('right secrets do not count towards the limit of wrong secrets', async () => {
  const game = await makeLoginGame(server);
  const device = makeDevice();
  for (let turn = 0; turn < 40; turn++) assert.ok((await game.logIn(device)).status < 300);
});

test('a network may send 600 wrong secrets a minute to a game, even if many arrive at the same time', async () => {
  const game = await makeLoginGame(server);
  const ip = '198.51.100.4';
  const devices = Array.from({ length: 22 }, makeDevice);
  for (const device of devices) await game.logIn(device);
  const guessAt = (device: Device) => guess(30, ip, game, device);
  for (const device of devices.slice(0, 18)) assert.deepEqual(await guessAt(device), { 401: 30 });
  const burst = await Promise.all(devices.slice(18).map(guessAt));
  const sumOf = (status: number) => burst.reduce((sum, of_one) => sum + (of_one[status] ?? 0), 0);
  assert.deepEqual([sumOf(401), sumOf(429)], [60, 60]);
  const refused = await logInFrom(ip, game, makeDevice());
  assert.deepEqual(
    [refused.status, refused.body.message],
    [429, 'Too many wrong secrets from this address, retry in 60 seconds'],
  );
  assert.equal((await logInFrom('198.51.100.5', game, makeDevice())).status, 201);
  const elsewhere = await makeLoginGame(server);
  assert.equal((await logInFrom(ip, elsewhere, makeDevice())).status, 201);
});
