import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { RELEASE } from '../../../platform/release.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await server.makeAccount();
});
after(() => server.close());

const register = (body: unknown, on = server) => on.request('POST', '/v1/auth/register', { body });

const countAccounts = async () =>
  (await server.database.queryOne<{ n: number }>(sql`SELECT count(*) AS n FROM accounts`))!.n;

test('POST /v1/auth/register answers 201 with token, user and backendVersion', async () => {
  const { status, body } = await register({ email: 'mira@studio.example', password: 'plum bus' });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), ['token', 'user', 'backendVersion']);
  assert.equal(body.user.email, 'mira@studio.example');
  assert.match(body.user.id, /^[0-9a-f-]{36}$/);
  assert.equal(body.backendVersion, RELEASE);
  const me = await server.request('GET', '/v1/auth/me', { token: body.token });
  assert.equal(me.status, 200);
  assert.equal(me.body.id, body.user.id);
  assert.equal(me.body.is_administrator, false);
});

test('a duplicate e-mail is answered with 409, even in another case or with spaces around it', async () => {
  const first = await register({ email: 'Twin@Studio.example', password: 'password one' });
  assert.equal(first.status, 201);
  assert.equal(first.body.user.email, 'Twin@Studio.example');
  for (const email of ['Twin@Studio.example', 'twin@studio.EXAMPLE', '  twin@studio.example\t']) {
    const again = await register({ email, password: 'password two' });
    assert.equal(again.status, 409, email);
    assert.deepEqual(again.body, { error: 'An account with this e-mail address already exists' });
  }
});

test('exactly one of 10 parallel registrations of one e-mail makes the account', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      register({
        email: index % 2 ? 'race@studio.example' : 'RACE@studio.example',
        password: 'a password',
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    201,
    ...Array.from({ length: 9 }, () => 409),
  ]);
});

test('a password has 8 to 1,024 characters of any kind', async () => {
  const tooShort = await register({ email: 'short@studio.example', password: '1234567' });
  assert.equal(tooShort.status, 400);
  assert.deepEqual(tooShort.body, { error: 'password must have at least 8 characters' });
  const tooLong = await register({ email: 'long@studio.example', password: 'x'.repeat(1025) });
  assert.equal(tooLong.status, 400);
  assert.deepEqual(tooLong.body, { error: 'password must have at most 1024 characters' });

  const passwords = [
    '🦊'.repeat(1024),
    `'; DROP TABLE accounts; --`,
    '<script>alert(1)</script>',
    '        ',
    'line\r\nbreak\tand \u0001\u007f',
    '\u202eright to left',
    '{"$gt":""}',
  ];
  for (const [index, password] of passwords.entries()) {
    const email = `password${index}@studio.example`;
    assert.equal((await register({ email, password })).status, 201, password);
    const login = await server.request('POST', '/v1/auth/login', { body: { email, password } });
    assert.equal(login.status, 200, password);
  }
});

test('a password matches in every Unicode form of its accents', async () => {
  const email = 'accents@studio.example';
  await register({ email, password: 'caf\u00e9-caf\u00e9' });
  const login = await server.request('POST', '/v1/auth/login', {
    body: { email, password: 'cafe\u0301-cafe\u0301' },
  });
  assert.equal(login.status, 200);
});

test('bad e-mails and passwords get 400 with the name of the field, and nothing is stored', async () => {
  const accountsBefore = await countAccounts();
  const good = { email: 'good@studio.example', password: 'a good password' };
  const hostile: [unknown, RegExp][] = [
    [{ password: good.password }, /^email is required$/],
    [{ email: good.email }, /^password is required$/],
    [{}, /^email is required$/],
    [[], /^The request body must be a JSON object$/],
    ['null', /^The request body must be a JSON object$/],
    ['"text"', /^The request body must be a JSON object$/],
    [{ ...good, email: null }, /^email must be a string$/],
    [{ ...good, email: 12 }, /^email must be a string$/],
    [{ ...good, email: ['a@b.example'] }, /^email must be a string$/],
    [{ ...good, email: { $ne: '' } }, /^email must be a string$/],
    [{ ...good, email: '' }, /^email must not be empty$/],
    [{ ...good, email: '   ' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: 'nobody' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: '@studio.example' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: 'nobody@' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: 'two@signs@studio.example' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: 'a@b.example\r\nBcc: c@d.example' }, /^email must be a valid/],
    [{ ...good, email: 'a,b@c.example' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: '<a@b.example>' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: `a@b.example'; DROP TABLE accounts; --` }, /^email must be a valid/],
    [{ ...good, email: '<script>@studio.example' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: 'a@<b>.example' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: 'hidden\u202e@studio.example' }, /^email must be a valid e-mail address$/],
    [{ ...good, email: 'nul\u0000@studio.example' }, /^email must not contain \\u0000$/],
    [`{"email":"\\ud800@b.example","password":"a good password"}`, /^email .*lone surrogates$/],
    [{ ...good, email: `${'🦊'.repeat(255)}` }, /^email must have at most 254 characters$/],
    [{ ...good, password: null }, /^password must be a string$/],
    [{ ...good, password: 12345678 }, /^password must be a string$/],
    [{ ...good, password: '' }, /^password must have at least 8 characters$/],
    [{ ...good, password: 'password\u0000' }, /^password must not contain \\u0000$/],
  ];
  for (const [body, expected] of hostile) {
    const answer = await register(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.error, expected);
  }
  assert.equal(await countAccounts(), accountsBefore);
});

test("unusual valid addresses are accepted: O'Brien, plus signs, other scripts", async () => {
  const local = 'x'.repeat(254 - '@studio.example'.length);
  for (const email of [
    `o'brien@studio.example`,
    'mira+games@studio.example',
    'überraschung@bücher.example',
    '用户@例子.example',
    'root@localhost',
    `${local}@studio.example`,
  ]) {
    const answer = await register({ email, password: 'a good password' });
    assert.equal(answer.status, 201, email);
    assert.equal(answer.body.user.email, email);
  }
});

test('REGISTRATION=closed answers 403, even while there is no account', async () => {
  await using closed = await startTestServer({ env: { REGISTRATION: 'closed' } });
  const refused = await register({ email: 'early@studio.example', password: '12345678' }, closed);
  assert.equal(refused.status, 403);
  assert.match(refused.body.error, /^Registration is closed/);
  assert.deepEqual((await closed.request('GET', '/v1/auth/options')).body, {
    has_accounts: false,
    has_administrator: false,
    registration_open: false,
    account_activation: 'none',
    sends_mail: false,
    identity_provider: null,
  });
});

test('registering leaves an audit entry with account and address, and without the password', async () => {
  await register({ email: 'audited@studio.example', password: 'never to be logged' });
  const [entry, ...others] = await server.database.query<Record<string, unknown>>(sql`
    SELECT action, account_email, ip, details::text AS details
    FROM audit_log WHERE target = 'audited@studio.example'`);
  assert.equal(others.length, 0);
  assert.equal(entry?.action, 'create_account');
  assert.equal(entry?.account_email, 'audited@studio.example');
  assert.equal(entry?.ip, '127.0.0.1');
  assert.ok(!JSON.stringify(entry).includes('never'));
});
