import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAccount } from '../../../test/test-account.ts';
import { findToken, readToken, waitForMail } from '../../../test/mailbox.ts';
import { startSmtpInbox } from '../../../test/smtp-inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';

let server: TestServer;
let administrator: TestAccount;
before(async () => {
  server = await startTestServer({ env: { ACCOUNT_ACTIVATION: 'admin' } });
  administrator = await server.makeAccount({ is_administrator: true });
});
after(() => server.close());

const get = (path: string, token = administrator.token) => server.request('GET', path, { token });
const act = (account_id: string, action: string, token = administrator.token) =>
  server.request('POST', `/v1/admin/users/${account_id}/${action}`, { token });
const logIn = ({ email, password }: TestAccount, given = password) =>
  server.request('POST', '/v1/auth/login', { body: { email, password: given } });
const listActions = async (target: string) =>
  server.database.query<{ action: string; account_email: string; ip: string }>(sql`
    SELECT action, account_email, ip FROM audit_log WHERE target = ${target} ORDER BY id`);

test('with ACCOUNT_ACTIVATION=admin administrators activate accounts, and owners get a mail', async () => {
  const email = 'waiting@studio.example';
  const registered = await server.request('POST', '/v1/auth/register', {
    body: { email, password: 'a good password' },
  });
  assert.equal(registered.status, 201);
  const { token, user } = registered.body;
  assert.equal((await get('/v1/auth/me', token)).body.code, 'ACCOUNT_PENDING');

  const activated = await act(user.id, 'activate');
  assert.equal(activated.status, 200);
  assert.equal(activated.body.id, user.id);
  assert.equal(activated.body.status, 'active');
  assert.equal((await get('/v1/auth/me', token)).status, 200);
  const mail = await waitForMail(server.data_dir, email);
  assert.equal(mail.subject, 'Your Overworld account is active');

  assert.equal((await act(user.id, 'activate')).status, 200);
  const entries = await listActions(email);
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['create_account', 'activate_account'],
  );
  assert.equal(entries[1]?.account_email, administrator.email);
  assert.equal(entries[1]?.ip, '127.0.0.1');
});

test('a locked account gets ACCOUNT_LOCKED for sessions and logins until it is unlocked', async () => {
  const account = await server.makeAccount();
  const locked = await act(account.account_id, 'lock');
  assert.equal(locked.status, 200);
  assert.equal(locked.body.status, 'locked');
  for (const answer of [await get('/v1/auth/me', account.token), await logIn(account)]) {
    assert.equal(answer.status, 403);
    assert.equal(answer.body.code, 'ACCOUNT_LOCKED');
  }
  const activated = await act(account.account_id, 'activate');
  assert.equal(activated.status, 409);
  assert.deepEqual(activated.body, { error: 'This account is locked: unlock it' });
  assert.equal((await act(account.account_id, 'lock')).status, 200);

  const unlocked = await act(account.account_id, 'unlock');
  assert.equal(unlocked.status, 200);
  assert.equal(unlocked.body.status, 'active');
  assert.equal((await get('/v1/auth/me', account.token)).status, 200);
  assert.equal((await logIn(account)).status, 200);
  assert.deepEqual(
    (await listActions(account.email)).map(({ action }) => action),
    ['lock_account', 'unlock_account'],
  );
});

test('a lock revokes the access tokens of the account for good', async () => {
  const { game_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id });
  const { token } = await server.makeAccessToken(account.account_id, [game_id], 'owner');
  const alerts = `/v1/games/${game_id}/alerts`;
  assert.equal((await get(alerts, token)).status, 200);
  for (const action of ['lock', 'unlock']) {
    assert.equal((await act(account.account_id, action)).status, 200);
    assert.equal((await get(alerts, token)).status, 401);
  }
  const entry = await server.database.queryOne(sql`
    SELECT details FROM audit_log WHERE action = 'lock_account' AND target = ${account.email}`);
  assert.deepEqual(entry, { details: { revoked_access_tokens: 1 } });
});

test('an account that was pending when it was locked is pending again after the unlock', async () => {
  const account = await server.makeAccount();
  await server.database.execute(
    sql`UPDATE accounts SET status = 'pending' WHERE id = ${account.account_id}`,
  );
  for (let round = 0; round < 2; round++) {
    assert.equal((await act(account.account_id, 'lock')).body.status, 'locked');
    assert.equal((await act(account.account_id, 'lock')).body.status, 'locked');
    assert.equal((await act(account.account_id, 'unlock')).body.status, 'pending');
    assert.equal((await logIn(account)).body.code, 'ACCOUNT_PENDING');
  }
  assert.equal((await act(account.account_id, 'activate')).body.status, 'active');
  await act(account.account_id, 'lock');
  assert.equal((await act(account.account_id, 'unlock')).body.status, 'active');
});

test('the list of accounts shows a lock by failed logins, and unlocking the account ends it', async () => {
  const account = await server.makeAccount();
  for (let failure = 0; failure < 5; failure++) await logIn(account, 'wrong');
  const listed = await get(`/v1/admin/users?search=${account.email}`);
  assert.equal(listed.body.users[0].status, 'active');
  assert.ok(Date.parse(listed.body.users[0].locked_until) > Date.now());
  const unlocked = await act(account.account_id, 'unlock');
  assert.equal(unlocked.body.locked_until, null);
  assert.equal((await logIn(account)).status, 200);
});

test('administrators cannot lock themselves, and if two lock each other, one stays active', async () => {
  const own = await act(administrator.account_id, 'lock');
  assert.equal(own.status, 409);
  assert.deepEqual(own.body, { error: 'You cannot lock your own account' });

  for (let round = 0; round < 5; round++) {
    const other = await server.makeAccount({ is_administrator: true });
    await Promise.all([
      act(other.account_id, 'lock'),
      act(administrator.account_id, 'lock', other.token),
    ]);
    const active = await server.database.query<{ id: string }>(sql`
      SELECT id FROM accounts WHERE is_administrator AND status = 'active'`);
    assert.equal(active.length, 1);
    await server.database.execute(sql`
      UPDATE accounts SET is_administrator = false WHERE id = ${other.account_id}`);
    await server.database.execute(sql`
      UPDATE accounts SET status = 'active' WHERE id = ${administrator.account_id}`);
  }
});

test('an unknown or malformed account id answers 404 `Account not found`', async () => {
  for (const id of [randomUUID(), 'no-uuid', `'%20OR%201=1`, '%F0%9F%A6%8A', 'x'.repeat(300)]) {
    for (const action of ['activate', 'lock', 'unlock']) {
      const answer = await act(id, action);
      assert.equal(answer.status, 404, id);
      assert.deepEqual(answer.body, { error: 'Account not found' });
    }
  }
});

test('GET /v1/admin/users lists accounts by e-mail in pages, and filters by text and state', async () => {
  const game = await server.makeGame();
  const tag = randomUUID().slice(0, 8);
  const made: TestAccount[] = [];
  for (let index = 0; index < 5; index++) {
    const account = await server.makeAccount({ game_id: game.game_id });
    await server.database.execute(sql`
      UPDATE accounts SET email = ${`P%${tag}_${4 - index}@Studio.example`}
      WHERE id = ${account.account_id}`);
    made.unshift(account);
  }
  await server.database.execute(
    sql`UPDATE accounts SET status = 'pending' WHERE id = ${made[2]!.account_id}`,
  );
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor ? `&cursor=${cursor}` : '';
    const page = await get(`/v1/admin/users?limit=2&search=p%25${tag}_${next}`);
    assert.equal(page.status, 200);
    assert.ok(page.body.users.length <= 2);
    seen.push(...page.body.users.map(({ id }: { id: string }) => id));
    cursor = page.body.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(
    seen,
    made.map(({ account_id }) => account_id),
  );

  const pending = await get(`/v1/admin/users?search=${tag}&status=pending`);
  assert.deepEqual(
    pending.body.users.map(({ id, game_count }: { id: string; game_count: number }) => [
      id,
      game_count,
    ]),
    [[made[2]!.account_id, 1]],
  );
  const none = await get(`/v1/admin/users?search=${encodeURIComponent("' OR 1=1 --")}`);
  assert.deepEqual(none.body, { users: [], next_cursor: null });
});

test('bad queries are answered with 400 and the name of the field', async () => {
  for (const [query, expected] of [
    ['limit=0', /^limit must be at least 1$/],
    ['limit=201', /^limit must be at most 200$/],
    ['limit=x', /^limit must be a number$/],
    ['cursor=x', /^cursor is not valid$/],
    [`cursor=${Buffer.from('["a","b"]').toString('base64url')}`, /^cursor is not valid$/],
    [`cursor=${Buffer.from('["a\\u0000"]').toString('base64url')}`, /^cursor is not valid$/],
    ['status=gone', /^status must be one of active, pending, locked$/],
    ['search=%00', /^search must not contain \\u0000$/],
    [`search=${'x'.repeat(256)}`, /^search must have at most 255 characters$/],
    ['search=a&search=b', /^search must be given once$/],
  ] as const) {
    const answer = await get(`/v1/admin/users?${query}`);
    assert.equal(answer.status, 400, query);
    assert.match(answer.body.error, expected);
  }
});

test("an account's valid keys are listed for all games where it made them, even after the account is deleted", async () => {
  const { game_id } = await server.makeGame();
  const other = await server.makeGame();
  const maker = await server.makeAccount({ game_id });
  await server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${other.game_id}, ${maker.account_id}, 'developer')`);
  const make = async (game: string, name: string) => {
    const body = { name, environment: 'development' };
    const path = `/v1/games/${game}/api-keys`;
    return (await server.request('POST', path, { token: maker.token, body })).body as {
      id: string;
    };
  };
  await make(game_id, 'first');
  const revoked = await make(game_id, 'revoked');
  await make(other.game_id, 'second');
  const path = `/v1/games/${game_id}/api-keys/${revoked.id}`;
  await server.request('DELETE', path, { token: maker.token });
  const listed = async () => {
    const { body } = await get(`/v1/admin/users/${maker.account_id}/api-keys`);
    return body.api_keys.map((key: Record<string, string>) => [key.game_id, key.name]);
  };
  const expected = [
    [other.game_id, 'second'],
    [game_id, 'first'],
  ];
  assert.deepEqual(await listed(), expected);
  const first = await get(`/v1/admin/users/${maker.account_id}/api-keys?limit=1`);
  const { next_cursor } = first.body;
  const next = await get(
    `/v1/admin/users/${maker.account_id}/api-keys?limit=1&cursor=${next_cursor}`,
  );
  assert.deepEqual([next.body.api_keys[0].name, next.body.next_cursor], ['first', null]);
  await server.database.execute(sql`DELETE FROM accounts WHERE id = ${maker.account_id}`);
  assert.deepEqual(await listed(), expected);
  assert.equal((await get('/v1/admin/users/nobody/api-keys')).status, 404);
});

test('an administrator makes an account while registration is closed, and its owner sets the password', async (t) => {
  const closed = await startTestServer({ env: { REGISTRATION: 'closed' } });
  t.after(() => closed.close());
  const { token } = await closed.makeAccount({ is_administrator: true });
  const make = (body: unknown) => closed.request('POST', '/v1/admin/users', { token, body });
  const email = 'noor@studio.example';
  const made = await make({ email });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    [made.body.email, made.body.status, made.body.email_verified],
    [email, 'active', false],
  );
  const password = 'a password of my own';
  const given = { token: readToken(new URL(made.body.link)), password };
  const set = await closed.request('POST', '/v1/auth/reset-password', { body: given });
  assert.equal(set.status, 200, set.text);
  const entered = await closed.request('POST', '/v1/auth/login', { body: { email, password } });
  assert.equal(entered.status, 200);
  assert.equal((await make({ email: ' NOOR@studio.example' })).status, 409);
  for (const wrong of [{}, { email: null }, { email: 5 }, { email: 'nobody' }]) {
    const refused = await make(wrong);
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, /^email /);
  }
  const other = { token: entered.body.token, body: { email: 'x@studio.example' } };
  assert.equal((await closed.request('POST', '/v1/admin/users', other)).status, 403);
});

test('where mail is sent, the owner of a new account gets the link by mail', async (t) => {
  const inbox = await startSmtpInbox();
  const mailing = await startTestServer({ env: { SMTP_URL: inbox.url } });
  t.after(async () => {
    await mailing.close();
    await inbox.close();
  });
  const { token } = await mailing.makeAccount({ is_administrator: true });
  const email = 'noor@studio.example';
  const { body } = await mailing.request('POST', '/v1/admin/users', { token, body: { email } });
  assert.equal(body.link, null);
  await waitUntil('the mail arrives', async () => inbox.mails.length > 0);
  const [mail] = inbox.mails;
  assert.deepEqual([mail!.subject, mail!.envelope.to], ['Your Overworld account', [email]]);
  const given = { token: findToken(mail!), password: 'a password of my own' };
  assert.equal(
    (await mailing.request('POST', '/v1/auth/reset-password', { body: given })).status,
    200,
  );
});

test('a test mail tells what the mail server says', async (t) => {
  const inbox = await startSmtpInbox();
  const mailing = await startTestServer({ env: { SMTP_URL: inbox.url } });
  t.after(() => mailing.close());
  const { token, email } = await mailing.makeAccount({ is_administrator: true });
  const send = () => mailing.request('POST', '/v1/admin/test-mail', { token });
  assert.deepEqual((await send()).body, { email, problem: null });
  assert.deepEqual(inbox.mails[0]!.envelope.to, [email]);
  await inbox.close();
  const failed = await send();
  assert.equal(failed.status, 200);
  assert.match(failed.body.problem, /ECONNREFUSED/);
  const silent = await server.request('POST', '/v1/admin/test-mail', {
    token: administrator.token,
  });
  assert.equal(silent.status, 409);
});
