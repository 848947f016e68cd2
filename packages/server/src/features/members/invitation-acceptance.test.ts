import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestAccount } from '../../../test/test-account.ts';
import { listMails } from '../../../test/mailbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { PASSWORD, shout, startInvitationServer } from './test/invitation-calls.ts';
import type { InvitationServer } from './test/invitation-calls.ts';

const NOT_FOUND = { error: 'Invitation not found: it was used or withdrawn, or has expired' };
const BAD_TOKEN = { error: 'token is invalid or has expired' };

let server: InvitationServer;
before(async () => {
  server = await startInvitationServer();
});
after(() => server.close());

test('GET /v1/invitations/{token} shows the game, and whether the invited address has an account', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const account = await server.makeAccount();
  const email = server.makeAddress();
  for (const [address, has_account] of [
    [email, false],
    [account.email, true],
  ] as const) {
    const { expires_at } = (await server.invite(game_id, owner, address)).body;
    const { status, body } = await server.preview(await server.tokenOf(address));
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
  const unknown = await server.preview('unknown');
  assert.equal(unknown.status, 404);
  assert.deepEqual(unknown.body, NOT_FOUND);
});

test('a new address that accepts two invitations at the same time gets one account in both games', async () => {
  const email = server.makeAddress();
  const games = [await server.makeOwnedGame(), await server.makeOwnedGame()];
  const tokens: string[] = [];
  for (const [index, { game_id, owner }] of games.entries()) {
    await server.invite(game_id, owner, email);
    tokens.push(await server.tokenOf(email, index + 1));
  }
  const answers = await Promise.all(tokens.map((token) => server.accept(token)));
  for (const { status, text } of answers) assert.equal(status, 200, text);
  assert.equal(answers[0]!.body.user.id, answers[1]!.body.user.id);
  assert.deepEqual(
    answers.map(({ body }) => body.game_id),
    games.map(({ game_id }) => game_id),
  );
});

test('a guest without an account gets one by accepting, even if registration is closed, and is logged in', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = server.makeAddress();
  await server.invite(game_id, owner, email, 'admin');
  const token = await server.tokenOf(email);
  const short = await server.accept(token, '1234567');
  assert.equal(short.status, 400);
  assert.deepEqual(short.body, { error: 'password must have at least 8 characters' });
  const accepted = await server.accept(token);
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

  assert.deepEqual((await server.listInvitations(game_id, owner)).invitations, []);
  const again = await server.accept(token);
  assert.deepEqual([again.status, again.body], [400, BAD_TOKEN]);
  assert.equal((await server.preview(token)).status, 404);
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

test('a guest who has an account accepts with its password, and can retry after a wrong password', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const account = await server.makeAccount();
  await server.invite(game_id, owner, shout(account.email), 'viewer');
  const token = await server.tokenOf(shout(account.email));
  const wrong = await server.accept(token, 'not the password');
  assert.equal(wrong.status, 401);
  assert.deepEqual(wrong.body, { error: 'Invalid email or password' });
  const accepted = await server.accept(token, account.password);
  assert.equal(accepted.status, 200);
  assert.deepEqual(accepted.body.user, { id: account.account_id, email: account.email });
  assert.equal(accepted.body.role, 'viewer');
});

test('five wrong passwords for an invitation lock the account, as five failed logins do', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const account = await server.makeAccount();
  await server.invite(game_id, owner, account.email);
  const token = await server.tokenOf(account.email);
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal((await server.accept(token, 'not the password')).status, 401);
  }
  const locked = await server.accept(token, account.password);
  assert.equal(locked.status, 403);
  assert.equal(locked.body.code, 'ACCOUNT_LOCKED');
});

test('POST …/accept adds the account of the JWT to the game if the account’s address was invited', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const account = await server.makeAccount();
  const stranger = await server.makeAccount();
  await server.invite(game_id, owner, account.email);
  const token = await server.tokenOf(account.email);
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

test('exactly one of ten parallel acceptances succeeds, and one account is made', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = server.makeAddress();
  await server.invite(game_id, owner, email);
  const token = await server.tokenOf(email);
  const answers = await Promise.all(Array.from({ length: 10 }, () => server.accept(token)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, text } of answers) {
    // Only the first acceptance makes the account. A later one finds the account and first checks its
    // password. It is then refused with 400.
    assert.ok(status === 200 || status === 400, text);
  }
  const accounts = await server.database.query(sql`SELECT id FROM accounts WHERE email = ${email}`);
  assert.equal(accounts.length, 1);
});

test('an expired invitation cannot be accepted until it is sent again', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = server.makeAddress();
  await server.invite(game_id, owner, email);
  const token = await server.tokenOf(email);
  await server.database.execute(sql`
    UPDATE invitations SET expires_at = now() - interval '1 second' WHERE game_id = ${game_id}`);
  assert.equal((await server.preview(token)).status, 404);
  assert.deepEqual((await server.accept(token)).body, BAD_TOKEN);
  assert.equal((await server.listInvitations(game_id, owner)).invitations.length, 1);
  await server.invite(game_id, owner, email);
  assert.equal((await server.accept(await server.tokenOf(email, 2))).status, 200);
});

test('the deletion of a game deletes its invitations and their unsent mails', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = server.makeAddress();
  await server.invite(game_id, owner, email);
  const token = await server.tokenOf(email);
  const answers = await Promise.all([
    server.accept(token),
    server.request('DELETE', `/v1/games/${game_id}`, { token: owner.token }),
  ]);
  assert.ok([200, 400].includes(answers[0].status), answers[0].text);
  assert.equal(answers[1].status, 204);
  assert.equal((await server.preview(token)).status, 404);
  const members = await server.database.query(
    sql`SELECT FROM game_members WHERE game_id = ${game_id}`,
  );
  assert.equal(members.length, 0);
  await waitUntil('no mail waits', async () => {
    const waiting = await server.database.query(sql`SELECT FROM mail_outbox`);
    return waiting.length === 0;
  });
  assert.equal((await listMails(server.data_dir, email)).length, 1);
});
