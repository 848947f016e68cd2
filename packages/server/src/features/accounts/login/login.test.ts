import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { RELEASE } from '../../../platform/release.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
});
after(() => server.close());

let lastAddress = 0;
/** Makes a new network address. Each test has its own, because failed logins are limited per address. */
const newAddress = () => `10.0.0.${++lastAddress}`;

const logIn = (email: unknown, password: unknown, address = '10.1.0.1') =>
  server.request('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

const WRONG = { error: 'Invalid email or password' };

test('POST /v1/auth/login answers 200 with the same fields as register', async () => {
  const account = await server.makeAccount();
  const { status, body } = await logIn(account.email, account.password);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['token', 'user', 'backendVersion']);
  assert.deepEqual(body.user, { id: account.account_id, email: account.email });
  assert.equal(body.backendVersion, RELEASE);
  const me = await server.request('GET', '/v1/auth/me', { token: body.token });
  assert.equal(me.body.email, account.email);
});

test('login accepts the e-mail in any case, and with spaces around it', async () => {
  const account = await server.makeAccount();
  const answer = await logIn(`  ${account.email.toUpperCase()}\n`, account.password);
  assert.equal(answer.status, 200);
});

test('wrong credentials answer 401 `Invalid email or password` for known and unknown addresses', async () => {
  const account = await server.makeAccount();
  const from = newAddress();
  for (const [email, password] of [
    [account.email, 'not the password'],
    [account.email, account.password.toUpperCase()],
    [account.email, `${account.password} `],
    ['nobody@studio.example', account.password],
    ['not an address', 'x'],
    [`' OR 1=1 --`, `' OR 1=1 --`],
    ['<script>alert(1)</script>', '<b>'],
    ['a@b.example\r\nBcc: c@d.example', 'line\r\nbreak'],
    ['🦊'.repeat(254), '🦊'.repeat(1024)],
  ]) {
    const answer = await logIn(email, password, from);
    assert.equal(answer.status, 401, email);
    assert.deepEqual(answer.body, WRONG);
  }
});

test('missing or invalid fields get 400 with the field name, and do not count as failures', async () => {
  const { email, password } = await server.makeAccount();
  const hostile: [unknown, unknown, RegExp][] = [
    [undefined, password, /^email is required$/],
    [null, password, /^email must be a string$/],
    [7, password, /^email must be a string$/],
    ['', password, /^email must not be empty$/],
    ['🦊'.repeat(255), password, /^email must have at most 254 characters$/],
    [`${email}\u0000`, password, /^email must not contain \\u0000$/],
    [email, undefined, /^password is required$/],
    [email, null, /^password must be a string$/],
    [email, 12345678, /^password must be a string$/],
    [email, ['a', 'b'], /^password must be a string$/],
    [email, '', /^password must not be empty$/],
    [email, 'x'.repeat(1025), /^password must have at most 1024 characters$/],
    [email, 'a\u0000b', /^password must not contain \\u0000$/],
  ];
  for (const [givenEmail, givenPassword, expected] of hostile) {
    const answer = await logIn(givenEmail, givenPassword);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, expected);
  }
  assert.equal((await logIn(email, password)).status, 200);
});

for (const known of [true, false]) {
  const whose = known ? 'an account' : 'an unknown address';
  test(`12 parallel wrong logins to ${whose} get exactly five 401 and seven 403 ACCOUNT_LOCKED`, async () => {
    const account = await server.makeAccount();
    const email = known ? account.email : `unknown-${account.email}`;
    const from = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        logIn(index % 2 ? email.toUpperCase() : email, `wrong ${index}`, from),
      ),
    );
    const refused = answers.filter(({ status }) => status === 401);
    const locked = answers.filter(({ status }) => status === 403);
    assert.deepEqual([refused.length, locked.length], [5, 7]);
    assert.ok(refused.every(({ body }) => body.error === WRONG.error));
    assert.ok(locked.every(({ body }) => body.code === 'ACCOUNT_LOCKED'));

    const right = await logIn(email, account.password, from);
    assert.equal(right.status, 403);
    assert.match(right.body.error, /^Too many failed logins/);
    assert.equal(right.body.code, 'ACCOUNT_LOCKED');
    const lockedFor = Date.parse(right.body.locked_until) - Date.now();
    assert.ok(lockedFor > 14 * 60_000 && lockedFor <= 15 * 60_000, `${lockedFor} ms`);
  });
}

test('only the first five of 12 parallel guesses can find the right password', async () => {
  const account = await server.makeAccount();
  const from = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      logIn(account.email, index === 0 ? account.password : `wrong ${index}`, from),
    ),
  );
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  const found = count(200);
  // A success clears the failures before it. If one guess succeeds,
  // up to four guesses before it and five guesses after it get 401.
  assert.ok(found <= 1);
  assert.ok(count(401) >= 5 && count(401) <= 5 + 4 * found);
  assert.equal(found + count(401) + count(403), 12);
});

test('12 parallel right logins all succeed', async () => {
  const account = await server.makeAccount();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => logIn(account.email, account.password)),
  );
  assert.ok(answers.every(({ status }) => status === 200));
});

test('a success after four failures clears the count', async () => {
  const account = await server.makeAccount();
  const from = newAddress();
  for (let round = 0; round < 2; round++) {
    for (let failure = 0; failure < 4; failure++) {
      assert.equal((await logIn(account.email, 'wrong', from)).status, 401);
    }
    assert.equal((await logIn(account.email, account.password, from)).status, 200);
  }
});

test('the lock of an account ends after 15 minutes, and then five failures lock it again', async () => {
  const account = await server.makeAccount();
  const from = newAddress();
  const failFiveTimes = async () => {
    for (let failure = 0; failure < 5; failure++) {
      assert.equal((await logIn(account.email, 'wrong', from)).status, 401);
    }
    assert.equal((await logIn(account.email, account.password, from)).status, 403);
  };
  const passMinutes = (minutes: number) =>
    server.database.execute(sql`
      UPDATE login_failures
      SET locked_until = locked_until - ${minutes}::integer * interval '1 minute'
      WHERE email = ${account.email}`);
  await failFiveTimes();
  await passMinutes(14);
  assert.equal((await logIn(account.email, account.password, from)).status, 403);
  await passMinutes(1);
  await failFiveTimes();
  await passMinutes(15);
  assert.equal((await logIn(account.email, account.password, from)).status, 200);
});

test('failed logins that lock an account do not end its sessions', async () => {
  const account = await server.makeAccount();
  const from = newAddress();
  for (let failure = 0; failure < 6; failure++) await logIn(account.email, 'wrong', from);
  const me = await server.request('GET', '/v1/auth/me', { token: account.token });
  assert.equal(me.status, 200);
});

test('an inactive account gets 403 with its code, but only with the right password', async () => {
  for (const [status, code] of [
    ['pending', 'ACCOUNT_PENDING'],
    ['locked', 'ACCOUNT_LOCKED'],
  ]) {
    const account = await server.makeAccount();
    await server.database.execute(
      sql`UPDATE accounts SET status = ${status} WHERE id = ${account.account_id}`,
    );
    const right = await logIn(account.email, account.password);
    assert.equal(right.status, 403);
    assert.equal(right.body.code, code);
    assert.equal((await logIn(account.email, 'wrong', newAddress())).status, 401);
    const me = await server.request('GET', '/v1/auth/me', { token: account.token });
    assert.equal(me.status, 403);
    assert.equal(me.body.code, code);
  }
});
