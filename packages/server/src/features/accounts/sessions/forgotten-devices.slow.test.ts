import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MAX_DEVICES } from '@overworld/contract/accounts/limits';
import { earlier } from '../../../../test/earlier.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { findToken, waitForMail } from '../../../../test/mailbox.ts';
import { sql } from '../../../platform/database/sql.ts';
import { deleteOldRecords } from '../housekeeping.ts';
import { cookieOf, headersOf, isBusy, useDeviceLogins } from './test/device-logins.ts';

const { servers, logIn, makeBrowser, listDevices, lock } = useDeviceLogins();
let server: TestServer;
/** A second server of the same installation, which is behind TLS. */
let second: TestServer;
before(() => {
  [server, second] = servers;
});

test('only the hash of the cookie is stored', async () => {
  const { cookie } = await makeBrowser(await server.makeAccount());
  const rows = await server.database.query<{ row: string }>(
    sql`SELECT account_devices::text AS row FROM account_devices`,
  );
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ row }) => !row.includes(cookie.split('=')[1]!)));
});

test('known browsers are listed, and a browser that the owner removes from the list is unknown again', async () => {
  const account = await server.makeAccount();
  const { cookie, token } = await makeBrowser(account);
  const gone = await makeBrowser(account);
  const devices = await listDevices(token, cookie);
  assert.equal(devices.length, 2);
  assert.deepEqual([devices[0].is_current, devices[1].is_current], [true, false]);
  assert.equal(devices[1].browser, 'Firefox on Linux');
  assert.match(devices[1].address, /^10\.2\./);

  const forget = (id: string, by: string) =>
    server.request('DELETE', `/v1/auth/devices/${id}`, { token: by });
  const stranger = await server.makeAccount();
  for (const id of [devices[1].id, 'no uuid']) {
    const { status, body } = await forget(id, stranger.token);
    assert.deepEqual([status, body], [404, { error: 'Browser not found' }]);
  }
  assert.equal((await forget(devices[1].id, token)).status, 204);
  await lock(account);
  assert.equal((await logIn(account.email, account.password, gone)).status, 403);
  assert.equal((await logIn(account.email, account.password, { cookie })).status, 200);
});

test('a password reset unlocks the account, and only the browser of the reset stays known', async () => {
  const account = await server.makeAccount();
  const [own, other] = [await makeBrowser(account), await makeBrowser(account)];
  for (let attempt = 0; attempt < 11; attempt++) await logIn(account.email, 'wrong', own);
  await server.request('POST', '/v1/auth/forgot-password', { body: { email: account.email } });
  const token = findToken(await waitForMail(server.data_dir, account.email));
  const password = 'a much better password';
  const reset = await server.request('POST', '/v1/auth/reset-password', {
    body: { token, password },
    headers: headersOf(own),
  });
  assert.equal(reset.status, 200);
  await lock(account);
  assert.equal((await logIn(account.email, password, other)).status, 403);
  assert.equal((await logIn(account.email, password, own)).status, 200);
});

test('a password reset makes its browser known, so strangers cannot lock the owner out', async () => {
  const account = await server.makeAccount();
  await lock(account);
  await server.request('POST', '/v1/auth/forgot-password', { body: { email: account.email } });
  const token = findToken(await waitForMail(server.data_dir, account.email));
  const password = 'a much better password';
  const reset = await server.request('POST', '/v1/auth/reset-password', {
    body: { token, password },
    headers: headersOf({}),
  });
  assert.equal(reset.status, 200);
  await lock(account);
  assert.equal((await logIn(account.email, password, { cookie: cookieOf(reset) })).status, 200);
});

test('logins of a script without cookies do not make an account forget the browsers of its owner', async () => {
  const account = await server.makeAccount();
  const { cookie } = await makeBrowser(account);
  await makeBrowser(account, cookie);
  await server.database.execute(sql`
    INSERT INTO account_devices (account_id, token_hash, created_at, last_used_at)
    SELECT ${account.account_id}, 'made up ' || n, now() + n * interval '1 minute',
           now() + n * interval '1 minute'
    FROM generate_series(1, ${MAX_DEVICES}::integer) AS n`);
  const { token } = await makeBrowser(account);
  const devices = await listDevices(token, cookie);
  assert.equal(devices.length, MAX_DEVICES);
  assert.equal(devices[0].is_current, true);
});

test('browsers are forgotten a year after their last login', async () => {
  const account = await server.makeAccount();
  const { cookie, token } = await makeBrowser(account);
  await makeBrowser(account);
  await server.database.execute(sql`
    UPDATE account_devices SET last_used_at = ${earlier(sql`last_used_at`, sql`interval '366 days'`)}
    WHERE id = ${(await listDevices(token, cookie))[0].id}`);
  await lock(account);
  assert.equal((await logIn(account.email, account.password, { cookie })).status, 403);
  await deleteOldRecords(server.database);
  assert.equal((await listDevices(token)).length, 1);
});

test('parallel logins, password resets and removals of browsers of one account never end in a 5xx', async () => {
  const account = await server.makeAccount();
  const browsers = [await makeBrowser(account), await makeBrowser(account)];
  await server.request('POST', '/v1/auth/forgot-password', { body: { email: account.email } });
  const token = findToken(await waitForMail(server.data_dir, account.email));
  const [device] = await listDevices(account.token);
  const answers = await Promise.all(
    Array.from({ length: 36 }, (_, index) => {
      const browser = browsers[index % 2]!;
      const on = index % 3 ? server : second;
      if (index === 8) {
        return on.request('POST', '/v1/auth/reset-password', {
          body: { token, password: account.password },
          headers: headersOf(browser),
        });
      }
      if (index === 12) {
        const path = `/v1/auth/devices/${device.id}`;
        return on.request('DELETE', path, { token: account.token });
      }
      const password = index % 4 ? account.password : 'wrong';
      return logIn(account.email, password, { ...browser, on });
    }),
  );
  assert.deepEqual(
    answers.filter((answer) => answer.status >= 500 && !isBusy(answer)).map(({ body }) => body),
    [],
  );
});
