import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import { findToken, waitForMail } from '../../../../test/mailbox.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const BAD_TOKEN = { error: 'token is invalid or has expired' };

async function makeUnverified(): Promise<TestAccount & { game_id: string }> {
  const { game_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id });
  await server.database.execute(sql`
    UPDATE accounts SET email_verified_at = NULL WHERE id = ${account.account_id}`);
  return { ...account, game_id };
}

const invite = ({ token, game_id }: { token: string; game_id: string }, email: string) =>
  server.request('POST', `/v1/games/${game_id}/invitations`, {
    token,
    body: { email, role: 'viewer' },
  });

const isVerified = async ({ token }: { token: string }) =>
  (await server.request('GET', '/v1/auth/me', { token })).body.email_verified as boolean;

const askForLink = ({ token }: { token: string }) =>
  server.request('POST', '/v1/auth/send-verification', { token });

const verify = (token: string) =>
  server.request('POST', '/v1/auth/verify-email', { body: { token } });

test('an account cannot invite until a link in a mail has verified its address', async () => {
  const account = await makeUnverified();
  const refused = await invite(account, 'guest@studio.example');
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body, {
    error:
      'Verify your e-mail address before you invite others: your account page sends you a link',
    code: 'EMAIL_NOT_VERIFIED',
  });
  assert.equal(await isVerified(account), false);
  assert.equal((await askForLink(account)).status, 200);
  const token = findToken(await waitForMail(server.data_dir, account.email));
  const verified = await verify(token);
  assert.deepEqual(verified.body, { message: `The address ${account.email} is verified` });
  assert.equal(await isVerified(account), true);
  assert.equal((await invite(account, 'guest@studio.example')).status, 201);
  assert.deepEqual((await verify(token)).body, BAD_TOKEN);
  assert.match((await askForLink(account)).body.message, /verified already/);
});

test('following the link of an invitation or of a password reset verifies the address', async () => {
  const { game_id } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const invited = await makeUnverified();
  await invite({ token: owner.token, game_id }, invited.email);
  const invitation = findToken(await waitForMail(server.data_dir, invited.email));
  await server.request('POST', `/v1/invitations/${invitation}/accept`, { token: invited.token });
  assert.equal(await isVerified(invited), true);

  const email = 'new-one@studio.example';
  await invite({ token: owner.token, game_id }, email);
  const token = findToken(await waitForMail(server.data_dir, email));
  const body = { token, password: 'a good password' };
  const joined = await server.request('POST', '/v1/auth/accept-invitation', { body });
  assert.equal(await isVerified({ token: joined.body.token as string }), true);

  const forgetful = await makeUnverified();
  const { email: address } = forgetful;
  await server.request('POST', '/v1/auth/forgot-password', { body: { email: address } });
  const reset = findToken(await waitForMail(server.data_dir, address));
  const password = 'another password';
  await server.request('POST', '/v1/auth/reset-password', { body: { token: reset, password } });
  const login = await server.request('POST', '/v1/auth/login', {
    body: { email: address, password },
  });
  assert.equal(await isVerified({ token: login.body.token as string }), true);
});

test('a token of another purpose verifies nothing', async () => {
  const account = await makeUnverified();
  await server.request('POST', '/v1/auth/forgot-password', { body: { email: account.email } });
  const token = findToken(await waitForMail(server.data_dir, account.email));
  const answer = await verify(token);
  assert.deepEqual([answer.status, answer.body], [400, BAD_TOKEN]);
  assert.equal(await isVerified(account), false);
});

test('administrators count as verified, and can verify other accounts', async () => {
  const account = await makeUnverified();
  const administrator = await server.makeAccount({ is_administrator: true });
  await server.database.execute(sql`
    UPDATE accounts SET email_verified_at = NULL WHERE id = ${administrator.account_id}`);
  assert.equal(await isVerified(administrator), true);
  const { token } = administrator;
  assert.equal((await invite({ token, game_id: account.game_id }, 'x@studio.example')).status, 201);
  const path = `/v1/admin/users/${account.account_id}/verify-email`;
  const verified = await server.request('POST', path, { token });
  assert.deepEqual([verified.status, verified.body.email_verified], [200, true]);
  assert.equal((await invite(account, 'y@studio.example')).status, 201);
});
