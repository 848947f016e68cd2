import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestAccount, TestServer } from '../../../test/harness.ts';
import { findLink, findToken, listMails, poll, waitForMail } from '../../../test/mailbox.ts';
import { sql } from '../../platform/database/sql.ts';

const PASSWORD = 'a password of my own';
const NOT_FOUND = { error: 'Invitation not found: it was used or withdrawn, or has expired' };
const BAD_TOKEN = { error: 'token is invalid or has expired' };

let server: TestServer;
before(async () => {
  server = await startTestServer({
    env: { REGISTRATION: 'closed', PUBLIC_URL: 'https://games.example/overworld' },
  });
  // The first account is made: from now on registration is closed.
  await server.makeAccount({ is_administrator: true });
});
after(() => server.close());

let addresses = 0;
/** The same address, as far as accounts go. */
const shout = (email: string) => email.replace(/^[^@]+/, (name) => name.toUpperCase());
const makeAddress = () => `guest${++addresses}@studio.example`;

async function makeOwnedGame(): Promise<{ game_id: string; owner: TestAccount }> {
  const { game_id } = await server.makeGame();
  return { game_id, owner: await server.makeAccount({ game_id }) };
}

const invite = (game_id: string, by: TestAccount, email: string, role = 'developer') =>
  server.request('POST', `/v1/games/${game_id}/invitations`, {
    token: by.token,
    body: { email, role },
  });

const listInvitations = async (game_id: string, by: TestAccount) =>
  (await server.request('GET', `/v1/games/${game_id}/invitations`, { token: by.token })).body;

const accept = (token: string, password = PASSWORD) =>
  server.request('POST', '/v1/auth/accept-invitation', { body: { token, password } });

const preview = (token: string) => server.request('GET', `/v1/invitations/${token}`);

/** The token of the newest mail to an address, that of number `count`. */
const tokenOf = async (email: string, count = 1) =>
  findToken(await waitForMail(server.data_dir, email, count));

test('POST answers 201 with the invitation and sends a link, whose token is stored as a hash', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const email = makeAddress();
  const { status, body, text } = await invite(game_id, owner, ` ${email} `, 'viewer');
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), [
    'id',
    'email',
    'role',
    'invited_by',
    'created_at',
    'expires_at',
  ]);
  assert.deepEqual([body.email, body.role, body.invited_by], [email, 'viewer', owner.email]);
  const lifetime_days = (Date.parse(body.expires_at) - Date.parse(body.created_at)) / 86_400_000;
  assert.equal(lifetime_days, 7);

  const mail = await waitForMail(server.data_dir, email);
  assert.equal(mail.subject, 'Invitation to Test game');
  const link = findLink(mail);
  assert.equal(link.origin + link.pathname, 'https://games.example/overworld/invitations');
  const token = findToken(mail);
  assert.ok(token.length >= 32 && !text.includes(token));
  const stored = await server.database.queryOne<{ everything: string }>(sql`
    SELECT string_agg(row::text, '') AS everything FROM (
      SELECT invitations::text AS row FROM invitations
      UNION ALL SELECT audit_log::text FROM audit_log
      UNION ALL SELECT mail_outbox::text FROM mail_outbox) AS rows`);
  assert.ok(!stored!.everything.includes(token));
  assert.deepEqual(await listInvitations(game_id, owner), {
    invitations: [body],
    next_cursor: null,
  });
});

test('GET /v1/invitations/{token} shows its holder the game, and whether the address has an account', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const account = await server.makeAccount();
  const email = makeAddress();
  for (const [address, has_account] of [
    [email, false],
    [account.email, true],
  ] as const) {
    const { expires_at } = (await invite(game_id, owner, address)).body;
    const { status, body } = await preview(await tokenOf(address));
    assert.equal(status, 200);
    assert.deepEqual(body, {
      game_name: 'Test game',
      email: address,
      role: 'developer',
      invited_by: owner.email,
      expires_at,
      has_account,
    });
  }
  const unknown = await preview('unknown');
  assert.equal(unknown.status, 404);
  assert.deepEqual(unknown.body, NOT_FOUND);
});

test('accepting without an account makes one, although registration is closed, and logs in', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const email = makeAddress();
  await invite(game_id, owner, email, 'admin');
  const token = await tokenOf(email);
  const short = await accept(token, '1234567');
  assert.equal(short.status, 400);
  assert.deepEqual(short.body, { error: 'password must have at least 8 characters' });
  const accepted = await accept(token);
  assert.equal(accepted.status, 200);
  const { token: jwt, user, backendVersion, ...joined } = accepted.body;
  assert.equal(user.email, email);
  assert.equal(typeof backendVersion, 'string');
  assert.deepEqual(joined, { game_id, game_name: 'Test game', role: 'admin' });
  const game = await server.request('GET', `/v1/games/${game_id}`, { token: jwt });
  assert.deepEqual([game.status, game.body.role], [200, 'admin']);
  const login = await server.request('POST', '/v1/auth/login', {
    body: { email, password: PASSWORD },
  });
  assert.equal(login.status, 200);

  assert.deepEqual((await listInvitations(game_id, owner)).invitations, []);
  const again = await accept(token);
  assert.deepEqual([again.status, again.body], [400, BAD_TOKEN]);
  assert.equal((await preview(token)).status, 404);
  const log = await server.request(
    'GET',
    `/v1/games/${game_id}/audit-log?action=accept_invitation`,
    { token: owner.token },
  );
  assert.deepEqual(
    log.body.audit_log.map((entry: Record<string, unknown>) => [
      entry.account_id,
      entry.target,
      entry.details,
    ]),
    [[user.id, email, { role: 'admin' }]],
  );
});

test('accepting with an account needs its password, and a wrong one leaves the invitation', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const account = await server.makeAccount();
  await invite(game_id, owner, shout(account.email), 'viewer');
  const token = await tokenOf(shout(account.email));
  const wrong = await accept(token, 'not the password');
  assert.equal(wrong.status, 401);
  assert.deepEqual(wrong.body, { error: 'Invalid email or password' });
  const accepted = await accept(token, account.password);
  assert.equal(accepted.status, 200);
  assert.deepEqual(accepted.body.user, { id: account.account_id, email: account.email });
  assert.equal(accepted.body.role, 'viewer');
});

test('five wrong passwords at an invitation lock the account, as at a login', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const account = await server.makeAccount();
  await invite(game_id, owner, account.email);
  const token = await tokenOf(account.email);
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal((await accept(token, 'not the password')).status, 401);
  }
  const locked = await accept(token, account.password);
  assert.equal(locked.status, 403);
  assert.equal(locked.body.code, 'ACCOUNT_LOCKED');
});

test('POST /v1/invitations/{token}/accept joins with the own JWT, and only for the invited address', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const account = await server.makeAccount();
  const stranger = await server.makeAccount();
  await invite(game_id, owner, account.email);
  const token = await tokenOf(account.email);
  const join = (by: TestAccount) =>
    server.request('POST', `/v1/invitations/${token}/accept`, { token: by.token });
  const refused = await join(stranger);
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body, {
    error: `This invitation is for ${account.email}: log in with that account`,
  });
  const joined = await join(account);
  assert.equal(joined.status, 200);
  assert.deepEqual(joined.body, { game_id, game_name: 'Test game', role: 'developer' });
  const again = await join(account);
  assert.deepEqual([again.status, again.body], [404, NOT_FOUND]);
});

test('of ten acceptances at once exactly one succeeds, and there is one account', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const email = makeAddress();
  await invite(game_id, owner, email);
  const token = await tokenOf(email);
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, text } of answers) {
    // One that comes when the account is there already logs in first.
    assert.ok(status === 200 || status === 400, text);
  }
  const accounts = await server.database.query(sql`SELECT id FROM accounts WHERE email = ${email}`);
  assert.equal(accounts.length, 1);
});

test('inviting again replaces the invitation: role and link are new, the old link is dead', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const email = makeAddress();
  const first = await invite(game_id, owner, email, 'viewer');
  const oldToken = await tokenOf(email);
  const second = await invite(game_id, owner, shout(email), 'admin');
  assert.equal(second.status, 201);
  assert.equal(second.body.id, first.body.id);
  const token = await tokenOf(shout(email));
  assert.equal((await preview(oldToken)).status, 404);
  assert.equal((await preview(token)).body.role, 'admin');
  assert.equal((await listInvitations(game_id, owner)).invitations.length, 1);
});

test('DELETE withdraws: the link is dead at once; an unknown one is 404', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const email = makeAddress();
  const { id } = (await invite(game_id, owner, email)).body;
  const token = await tokenOf(email);
  const withdraw = () =>
    server.request('DELETE', `/v1/games/${game_id}/invitations/${id}`, { token: owner.token });
  assert.equal((await withdraw()).status, 204);
  assert.equal((await accept(token)).status, 400);
  const again = await withdraw();
  assert.deepEqual([again.status, again.body], [404, { error: 'Invitation not found' }]);
});

test('an expired invitation cannot be accepted; sent again, it can', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const email = makeAddress();
  await invite(game_id, owner, email);
  const token = await tokenOf(email);
  await server.database.execute(sql`
    UPDATE invitations SET expires_at = now() - interval '1 second' WHERE game_id = ${game_id}`);
  assert.equal((await preview(token)).status, 404);
  assert.deepEqual((await accept(token)).body, BAD_TOKEN);
  assert.equal((await listInvitations(game_id, owner)).invitations.length, 1);
  await invite(game_id, owner, email);
  assert.equal((await accept(await tokenOf(email, 2))).status, 200);
});

test('only an admin invites and sees invitations, only an owner invites owners', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const admin = await server.makeAccount({ game_id, role: 'admin' });
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const email = makeAddress();
  assert.equal((await invite(game_id, developer, email, 'viewer')).status, 403);
  const path = `/v1/games/${game_id}/invitations`;
  assert.equal((await server.request('GET', path, { token: developer.token })).status, 403);
  assert.equal((await invite(game_id, admin, email, 'owner')).status, 403);
  assert.equal((await invite(game_id, owner, email, 'owner')).status, 201);
  const replaced = await invite(game_id, admin, email, 'viewer');
  assert.equal(replaced.status, 403, "an owner's invitation is not an admin's to change");
  assert.equal((await invite(game_id, admin, makeAddress(), 'admin')).status, 201);
});

test('a member cannot be invited, and a bad address or role is 400', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const member = await server.makeAccount({ game_id, role: 'viewer' });
  const answer = await invite(game_id, owner, shout(member.email));
  assert.equal(answer.status, 409);
  assert.deepEqual(answer.body, {
    error: `${shout(member.email)} is a member of this game already`,
  });
  for (const [email, role, error] of [
    ['nobody', 'viewer', 'email must be a valid e-mail address'],
    ['a@b.example\r\nBcc: c@d.example', 'viewer', 'email must be a valid e-mail address'],
    [makeAddress(), 'emperor', 'role must be one of viewer, developer, admin, owner'],
  ] as const) {
    const refused = await invite(game_id, owner, email, role);
    assert.deepEqual([refused.status, refused.body], [400, { error }]);
  }
  assert.deepEqual((await listInvitations(game_id, owner)).invitations, []);
});

test('a game has at most 100 invitations that wait, exactly so when many are made at once', async () => {
  const { game_id, owner } = await makeOwnedGame();
  await server.database.execute(sql`
    INSERT INTO invitations (game_id, email, role, expires_at)
    SELECT ${game_id}, 'old' || number || '@studio.example', 'viewer', now() + interval '1 day'
    FROM generate_series(1, 97) AS number`);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => invite(game_id, owner, makeAddress())),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 3);
  const refused = answers.find(({ status }) => status !== 201)!;
  assert.deepEqual(
    [refused.status, refused.body],
    [409, { error: 'A game can have at most 100 invitations: withdraw one first' }],
  );
});

test('an account sends at most 100 invitations an hour, over all its games', async () => {
  const { game_id, owner } = await makeOwnedGame();
  await server.database.execute(sql`
    INSERT INTO audit_log (game_id, account_id, action, target, details, at)
    SELECT ${game_id}, ${owner.account_id}, 'invite_member', 'x', '{}', now() - interval '59 minutes'
    FROM generate_series(1, 99)`);
  assert.equal((await invite(game_id, owner, makeAddress())).status, 201);
  const refused = await invite(game_id, owner, makeAddress());
  assert.equal(refused.status, 429);
  assert.equal(refused.body.error, 'Too Many Requests');
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 60, String(seconds));
});

test('a game that is deleted takes its invitations with it, also mails that were not sent yet', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const email = makeAddress();
  await invite(game_id, owner, email);
  const token = await tokenOf(email);
  const answers = await Promise.all([
    accept(token),
    server.request('DELETE', `/v1/games/${game_id}`, { token: owner.token }),
  ]);
  assert.ok([200, 400].includes(answers[0].status), answers[0].text);
  assert.equal(answers[1].status, 204);
  assert.equal((await preview(token)).status, 404);
  const members = await server.database.query(
    sql`SELECT FROM game_members WHERE game_id = ${game_id}`,
  );
  assert.equal(members.length, 0);
  await poll(async () => {
    const waiting = await server.database.query(sql`SELECT FROM mail_outbox`);
    return waiting.length === 0 ? true : null;
  });
  assert.equal((await listMails(server.data_dir, email)).length, 1);
});

test('names of games in mails are text: no header, no HTML', async () => {
  const { game_id, owner } = await makeOwnedGame();
  const name = 'Evil\r\nBcc: victim@studio.example\r\n\r\n<script>alert(1)</script>';
  await server.request('PATCH', `/v1/games/${game_id}`, { token: owner.token, body: { name } });
  const email = makeAddress();
  await invite(game_id, owner, email);
  const mail = await waitForMail(server.data_dir, email);
  assert.equal(
    mail.subject,
    'Invitation to Evil Bcc: victim@studio.example <script>alert(1)</script>',
  );
  assert.equal(mail.bcc, undefined);
  assert.ok(!mail.html!.includes('<script>'));
  assert.equal((await listMails(server.data_dir, 'victim@studio.example')).length, 0);
});
