import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { cookieOf, useDeviceLogins } from './test/device-logins.ts';
import type { LoginOptions } from './test/device-logins.ts';

const { servers, logIn, makeBrowser, listDevices, lock } = useDeviceLogins();
let server: TestServer;
/** This server is behind TLS. */
let second: TestServer;
before(() => {
  [server, second] = servers;
});

test('a login and a registration set the cookie of the browser, which is Secure behind TLS', async () => {
  const { email, password } = await server.makeAccount();
  const plain = await logIn(email, password);
  assert.match(
    plain.headers.get('set-cookie')!,
    /^overworld_device=[\w-]{32}; Path=\/v1\/auth; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
  );
  const secure = await logIn(email, password, { on: second });
  assert.match(secure.headers.get('set-cookie')!, /; SameSite=Strict; Secure$/);
  const registered = await server.request('POST', '/v1/auth/register', {
    body: { email: `new-${email}`, password },
  });
  const cookie = cookieOf(registered);
  const [device] = await listDevices(registered.body.token, cookie);
  assert.equal(device.is_current, true);
  const failed = await logIn(email, 'wrong');
  assert.equal(failed.headers.get('set-cookie'), null);
});

test('a known browser logs in while strangers have locked the account, on every server', async () => {
  const account = await server.makeAccount();
  const { cookie } = await makeBrowser(account);
  await lock(account);
  for (const on of [server, second]) {
    const { status } = await logIn(account.email, account.password, { cookie, on });
    assert.equal(status, 200);
  }
  // For strangers the account stays locked.
  const stranger = await logIn(account.email, account.password);
  assert.deepEqual([stranger.status, stranger.body.code], [403, 'ACCOUNT_LOCKED']);
});

test('four wrong passwords of a known browser do not count as failures of strangers', async () => {
  const account = await server.makeAccount();
  const { cookie } = await makeBrowser(account);
  const wrong = (options?: LoginOptions) => logIn(account.email, 'wrong', options);
  for (let failure = 0; failure < 4; failure++) {
    assert.equal((await wrong({ cookie })).status, 401);
    assert.equal((await wrong()).status, 401);
  }
  assert.equal((await logIn(account.email, account.password)).status, 200);
  assert.equal((await logIn(account.email, account.password, { cookie })).status, 200);
});

test('after five wrong passwords a known browser counts as a stranger', async () => {
  const account = await server.makeAccount();
  const { cookie } = await makeBrowser(account);
  const statuses = [];
  for (let attempt = 0; attempt < 11; attempt++) {
    statuses.push((await logIn(account.email, 'wrong', { cookie })).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(401), 403]);
  assert.equal((await logIn(account.email, account.password, { cookie })).status, 403);

  // After another login the browser is known again.
  await server.database.execute(sql`DELETE FROM login_failures WHERE email = ${account.email}`);
  assert.equal((await logIn(account.email, account.password, { cookie })).status, 200);
  await lock(account);
  assert.equal((await logIn(account.email, account.password, { cookie })).status, 200);
});

test('parallel wrong passwords on two servers: 5 of a known browser and 5 of strangers are checked', async () => {
  const account = await server.makeAccount();
  const { cookie } = await makeBrowser(account);
  const attempts = Array.from({ length: 12 }, (_, index) => {
    const on = index % 2 ? server : second;
    return [
      logIn(account.email, `wrong ${index}`, { on }),
      logIn(account.email, `wrong ${index}`, { on, cookie }),
    ];
  });
  const answers = await Promise.all(attempts.flat());
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  assert.deepEqual([count(401), count(403)], [10, 14]);
});

test('a known browser can log in even while strangers fail to log in at the same time', async () => {
  const account = await server.makeAccount();
  const { cookie } = await makeBrowser(account);
  const strangers = Array.from({ length: 16 }, (_, index) => logIn(account.email, `${index}`));
  const own = Array.from({ length: 4 }, () => logIn(account.email, account.password, { cookie }));
  assert.ok((await Promise.all(own)).every(({ status }) => status === 200));
  await Promise.all(strangers);
  assert.equal((await logIn(account.email, account.password)).status, 403);
});

test('a known browser changes the password while strangers have locked the account', async () => {
  const account = await server.makeAccount();
  const { cookie, token } = await makeBrowser(account);
  await lock(account);
  const change = (headers: Record<string, string>) =>
    server.request('POST', '/v1/auth/change-password', {
      token,
      body: { current_password: account.password, new_password: 'a much better password' },
      headers,
    });
  assert.equal((await change({})).status, 403);
  assert.equal((await change({ cookie })).status, 200);
});

test('a browser with an invented cookie, or with a cookie of another account, counts as a stranger', async () => {
  const account = await server.makeAccount();
  const { cookie } = await makeBrowser(await server.makeAccount());
  await lock(account);
  for (const strange of [cookie, `overworld_device=${'x'.repeat(32)}`, 'overworld_device=%00']) {
    const { status } = await logIn(account.email, account.password, { cookie: strange });
    assert.equal(status, 403);
  }
  const unlocked = await server.makeAccount();
  const made_up = `overworld_device=${'y'.repeat(32)}`;
  const answer = await logIn(unlocked.email, unlocked.password, { cookie: made_up });
  assert.notEqual(cookieOf(answer), made_up);
});

test('one cookie makes a browser known to every account that it has logged in to', async () => {
  const [first, other] = [await server.makeAccount(), await server.makeAccount()];
  const { cookie } = await makeBrowser(first);
  assert.equal((await makeBrowser(other, `theme=dark; ${cookie}; a=b`)).cookie, cookie);
  for (const account of [first, other]) {
    await lock(account);
    assert.equal((await logIn(account.email, account.password, { cookie })).status, 200);
  }
});
