import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_DEVICES } from '@overworld/contract/accounts/limits';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestAccount, TestAnswer, TestServer } from '../../../../test/harness.ts';
import { findToken, waitForMail } from '../../../../test/mailbox.ts';
import { sql } from '../../../platform/database/sql.ts';
import { deleteOldRecords } from '../housekeeping.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let server: TestServer;
/** Another server on the same database, behind TLS. */
let second: TestServer;
before(async () => {
  const env = { TRUST_PROXY: 'true' };
  server = await startTestServer({ env });
  second = await startTestServer({
    database_url: server.database_url,
    // Either server may send the mails.
    env: {
      ...env,
      PUBLIC_URL: 'https://overworld.studio.example',
      DATA_DIR: server.data_dir,
    },
  });
});
after(async () => {
  await second.close();
  await server.close();
});

let lastAddress = 0;
const newAddress = () => `10.2.${++lastAddress >> 8}.${lastAddress & 255}`;

interface Options {
  cookie?: string;
  address?: string;
  on?: TestServer;
}
const headersOf = ({ cookie, address = newAddress() }: Options) => ({
  'user-agent': FIREFOX,
  'x-forwarded-for': address,
  ...(cookie ? { cookie } : {}),
});
const isBusy = ({ status, body }: TestAnswer) =>
  status === 503 && body.error.startsWith('Too many passwords');
/** Repeats a request while the server has too many passwords to check, as on a busy machine. */
const logIn = async (
  email: string,
  password: string,
  { on = server, ...options }: Options = {},
): Promise<TestAnswer> => {
  const headers = headersOf(options);
  const answer = await on.request('POST', '/v1/auth/login', { body: { email, password }, headers });
  return isBusy(answer) ? logIn(email, password, { on, ...options }) : answer;
};
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')!.split(';')[0]!;

/** The cookie and token of a browser that has logged in once. */
async function makeBrowser({ email, password }: TestAccount, cookie?: string) {
  const answer = await logIn(email, password, { cookie });
  assert.equal(answer.status, 200);
  return { cookie: cookieOf(answer), token: answer.body.token as string };
}
const listDevices = async (token: string, cookie?: string) => {
  const headers: Record<string, string> = cookie ? { cookie } : {};
  const { body } = await server.request('GET', '/v1/auth/devices', { token, headers });
  return body.devices;
};
/** Sends five wrong passwords from unknown browsers. */
const lock = async ({ email }: TestAccount) => {
  for (let failure = 0; failure < 5; failure++) {
    assert.equal((await logIn(email, 'wrong')).status, 401);
  }
  assert.equal((await logIn(email, 'wrong')).status, 403);
};

test('a login and a registration set the cookie of the browser, Secure behind TLS', async () => {
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

test('no table holds the cookie: only its hash is stored', async () => {
  const { cookie } = await makeBrowser(await server.makeAccount());
  const rows = await server.database.query<{ row: string }>(
    sql`SELECT account_devices::text AS row FROM account_devices`,
  );
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ row }) => !row.includes(cookie.split('=')[1]!)));
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
  const wrong = (options?: Options) => logIn(account.email, 'wrong', options);
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

test('of parallel wrong passwords on two servers, 5 of a known browser and 5 of strangers are checked', async () => {
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

test('a known browser logs in during parallel failures of strangers, in every order', async () => {
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

test('known browsers are listed, and a forgotten browser is a stranger again', async () => {
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

test('a reset unlocks the account, and forgets all browsers but its own', async () => {
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

test('a reset makes its browser known, so strangers cannot keep the owner out', async () => {
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

test('a script that logs in without cookies does not push out the browsers of a person', async () => {
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
    UPDATE account_devices SET last_used_at = last_used_at - interval '366 days'
    WHERE id = ${(await listDevices(token, cookie))[0].id}`);
  await lock(account);
  assert.equal((await logIn(account.email, account.password, { cookie })).status, 403);
  await deleteOldRecords(server.database);
  assert.equal((await listDevices(token)).length, 1);
});

test('parallel logins, resets and forgotten browsers of one account never end in a 5xx', async () => {
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
