import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { readToken, waitForMail } from '../../../test/mailbox.ts';
import { sql } from '../../platform/database/sql.ts';
import { startInvitationServer } from './test/invitation-calls.ts';
import type { InvitationServer } from './test/invitation-calls.ts';

let server: InvitationServer;
before(async () => {
  server = await startInvitationServer();
});
after(() => server.close());

const makeLink = (game_id: string, invitation_id: string, token: string) =>
  server.request('POST', `/v1/games/${game_id}/invitations/${invitation_id}/link`, { token });
const tokenIn = (link: string) => readToken(new URL(link));

test('a shown link works once, replaces earlier links, and does not verify the address', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = 'shown@studio.example';
  const { body: invitation } = await server.invite(game_id, owner, email);
  const mailed = await server.tokenOf(email);
  const first = await makeLink(game_id, invitation.id, owner.token);
  const second = await makeLink(game_id, invitation.id, owner.token);
  assert.equal(second.status, 200);
  assert.equal(second.body.expires_at, invitation.expires_at);
  for (const token of [mailed, tokenIn(first.body.link)]) {
    assert.equal((await server.accept(token)).status, 400);
  }
  const joined = await server.accept(tokenIn(second.body.link));
  assert.equal(joined.status, 200);
  assert.equal((await server.accept(tokenIn(second.body.link))).status, 400);
  const me = await server.request('GET', '/v1/auth/me', { token: joined.body.token });
  assert.equal(me.body.email_verified, false);
});

test('a link that was shown stays valid when the mail of the invitation is sent later', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = 'race@studio.example';
  const { body: invitation } = await server.invite(game_id, owner, email);
  const { body } = await makeLink(game_id, invitation.id, owner.token);
  await server.database.execute(sql`
    INSERT INTO mail_outbox (kind, params, owner, turn)
    SELECT 'invitation', jsonb_build_object('game_id', ${game_id}::text, 'invitation_id', ${invitation.id}::text), '', 0`);
  await server.invite(game_id, owner, 'next@studio.example');
  await waitForMail(server.data_dir, 'next@studio.example');
  assert.equal((await server.preview(tokenIn(body.link))).status, 200);
});

test('only owners see the link of an invitation that makes an owner, and nobody sees an expired link', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const admin = await server.makeAccount({ game_id, role: 'admin' });
  const { body: invitation } = await server.invite(game_id, owner, 'o@studio.example', 'owner');
  assert.equal((await makeLink(game_id, invitation.id, admin.token)).status, 403);
  assert.equal((await makeLink(game_id, invitation.id, owner.token)).status, 200);
  await server.database.execute(sql`
    UPDATE invitations SET expires_at = now() WHERE id = ${invitation.id}`);
  const late = await makeLink(game_id, invitation.id, owner.token);
  assert.equal(late.status, 409);
  assert.match(late.body.error, /expired/);
  await server.database.execute(sql`
    UPDATE accounts SET email_verified_at = NULL WHERE id = ${admin.account_id}`);
  const { body: other } = await server.invite(game_id, owner, 'p@studio.example');
  const refused = await makeLink(game_id, other.id, admin.token);
  assert.equal(refused.body.code, 'EMAIL_NOT_VERIFIED');
});

test('a server that sends mail shows no links', async () => {
  await using mailing = await startTestServer({
    database_url: server.database_url,
    env: { SMTP_URL: 'smtp://127.0.0.1:9' },
  });
  const { game_id } = await mailing.makeGame();
  const { token, account_id } = await mailing.makeAccount({ game_id, is_administrator: true });
  const body = { email: 'mailed@studio.example', role: 'viewer' };
  const path = `/v1/games/${game_id}/invitations`;
  const { body: invitation } = await mailing.request('POST', path, { token, body });
  for (const link of [
    `${path}/${invitation.id}/link`,
    `/v1/admin/users/${account_id}/password-reset-link`,
  ]) {
    const answer = await mailing.request('POST', link, { token });
    assert.equal(answer.status, 409, answer.text);
  }
});
