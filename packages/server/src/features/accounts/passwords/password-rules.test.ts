import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { findToken, waitForMail } from '../../../../test/mailbox.ts';

const COMMON = /^(password|new_password) is one of the most common passwords/;
const ADDRESS = /^(password|new_password) must not be the e-mail address or its beginning/;

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const register = (email: string, password: string) =>
  server.request('POST', '/v1/auth/register', { body: { email, password } });

test('common passwords are refused, even in capitals, and others need only 8 characters', async () => {
  const email = 'noor@studio.example';
  for (const password of [
    '12345678',
    'password',
    'Password1',
    'QWERTYUIOP',
    'iloveyou',
    ' princess ',
  ]) {
    const { status, body } = await register(email, password);
    assert.equal(status, 400, password);
    assert.match(body.error, COMMON);
  }
  assert.equal((await register(email, 'plum bus')).status, 201);
});

test('the e-mail address and its part before the @ are refused as passwords', async () => {
  const email = 'Nightjar.Admin@studio.example';
  for (const password of [email, email.toLowerCase(), 'nightjar.admin', 'NIGHTJAR.ADMIN']) {
    const { status, body } = await register(email, password);
    assert.equal(status, 400, password);
    assert.match(body.error, ADDRESS);
  }
  assert.equal((await register(email, 'nightjar.admin lamp')).status, 201);
});

test('all ways to choose a password refuse the same passwords', async () => {
  const game = await server.makeGame();
  const account = await server.makeAccount({ game_id: game.game_id });
  const tokenOf = async (email: string) => findToken(await waitForMail(server.data_dir, email));
  const choose = async (path: string, body: object, token?: string) => {
    const answer = await server.request('POST', path, { body, token });
    assert.equal(answer.status, 400, `${path} ${answer.text}`);
    return answer.body.error as string;
  };
  await server.request('POST', '/v1/auth/forgot-password', { body: { email: account.email } });
  const guest = 'long-enough-guest@studio.example';
  await server.request('POST', `/v1/games/${game.game_id}/invitations`, {
    token: account.token,
    body: { email: guest, role: 'viewer' },
  });
  const links = { reset: await tokenOf(account.email), invitation: await tokenOf(guest) };
  const ways: [string, (password: string) => Promise<string>][] = [
    [
      account.email,
      (new_password) =>
        choose(
          '/v1/auth/change-password',
          { current_password: account.password, new_password },
          account.token,
        ),
    ],
    [
      account.email,
      (password) => choose('/v1/auth/reset-password', { token: links.reset, password }),
    ],
    [
      guest,
      (password) => choose('/v1/auth/accept-invitation', { token: links.invitation, password }),
    ],
  ];
  for (const [email, refuse] of ways) {
    assert.match(await refuse('password123'), COMMON);
    assert.match(await refuse(email), ADDRESS);
  }
  // A refused password has not used up the link.
  const reset = await server.request('POST', '/v1/auth/reset-password', {
    body: { token: links.reset, password: 'a much better password' },
  });
  assert.equal(reset.status, 200);
});
