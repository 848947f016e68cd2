import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findLink, findToken, listMails, waitForMail } from '../../../test/mailbox.ts';
import { sql } from '../../platform/database/sql.ts';
import { shout, startInvitationServer } from './test/invitation-calls.ts';
import type { InvitationServer } from './test/invitation-calls.ts';

let server: InvitationServer;
before(async () => {
  server = await startInvitationServer();
});
after(() => server.close());

test('POST answers 201 with the invitation and sends a link, whose token is stored as a hash', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = server.makeAddress();
  const { status, body, text } = await server.invite(game_id, owner, ` ${email} `, 'viewer');
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
  assert.equal(mail.subject, 'Invitation to a game in Overworld');
  const link = findLink(mail);
  assert.equal(link.origin + link.pathname, 'https://games.example/invitations');
  const token = findToken(mail);
  assert.ok(token.length >= 32 && !text.includes(token));
  const stored = await server.database.queryOne<{ everything: string }>(sql`
    SELECT string_agg(row::text, '') AS everything FROM (
      SELECT invitations::text AS row FROM invitations
      UNION ALL SELECT audit_log::text FROM audit_log
      UNION ALL SELECT mail_outbox::text FROM mail_outbox) AS rows`);
  assert.ok(!stored!.everything.includes(token));
  assert.deepEqual(await server.listInvitations(game_id, owner), {
    invitations: [body],
    next_cursor: null,
  });
});

test('a second invitation of an address has a new role and link, and ends the old link', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = server.makeAddress();
  const first = await server.invite(game_id, owner, email, 'viewer');
  const oldToken = await server.tokenOf(email);
  const second = await server.invite(game_id, owner, shout(email), 'admin');
  assert.equal(second.status, 201);
  assert.equal(second.body.id, first.body.id);
  const token = await server.tokenOf(shout(email));
  assert.equal((await server.preview(oldToken)).status, 404);
  assert.equal((await server.preview(token)).body.role, 'admin');
  assert.equal((await server.listInvitations(game_id, owner)).invitations.length, 1);
});

test('DELETE ends the link immediately, and answers 404 for an unknown invitation', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const email = server.makeAddress();
  const { id } = (await server.invite(game_id, owner, email)).body;
  const token = await server.tokenOf(email);
  const withdraw = () =>
    server.request('DELETE', `/v1/games/${game_id}/invitations/${id}`, { token: owner.token });
  assert.equal((await withdraw()).status, 204);
  assert.equal((await server.accept(token)).status, 400);
  const again = await withdraw();
  assert.deepEqual([again.status, again.body], [404, { error: 'Invitation not found' }]);
});

test('only admins invite and see invitations, and only owners invite owners', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const admin = await server.makeAccount({ game_id, role: 'admin' });
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const email = server.makeAddress();
  assert.equal((await server.invite(game_id, developer, email, 'viewer')).status, 403);
  const path = `/v1/games/${game_id}/invitations`;
  assert.equal((await server.request('GET', path, { token: developer.token })).status, 403);
  assert.equal((await server.invite(game_id, admin, email, 'owner')).status, 403);
  assert.equal((await server.invite(game_id, owner, email, 'owner')).status, 201);
  const replaced = await server.invite(game_id, admin, email, 'viewer');
  assert.equal(replaced.status, 403, "an owner's invitation is not an admin's to change");
  assert.equal((await server.invite(game_id, admin, server.makeAddress(), 'admin')).status, 201);
});

test('an invitation of a member answers 409, and one with a bad address or role answers 400', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const member = await server.makeAccount({ game_id, role: 'viewer' });
  const answer = await server.invite(game_id, owner, shout(member.email));
  assert.equal(answer.status, 409);
  assert.deepEqual(answer.body, {
    error: `${shout(member.email)} is a member of this game already`,
  });
  for (const [email, role, error] of [
    ['nobody', 'viewer', 'email must be a valid e-mail address'],
    ['a@b.example\r\nBcc: c@d.example', 'viewer', 'email must be a valid e-mail address'],
    [server.makeAddress(), 'emperor', 'role must be one of viewer, developer, admin, owner'],
  ] as const) {
    const refused = await server.invite(game_id, owner, email, role);
    assert.deepEqual([refused.status, refused.body], [400, { error }]);
  }
  assert.deepEqual((await server.listInvitations(game_id, owner)).invitations, []);
});

test('a game has at most 100 valid invitations, even after parallel requests', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  await server.database.execute(sql`
    INSERT INTO invitations (game_id, email, role, expires_at)
    SELECT ${game_id}, 'old' || number || '@studio.example', 'viewer', now() + interval '1 day'
    FROM generate_series(1, 97) AS number`);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.invite(game_id, owner, server.makeAddress())),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 3);
  const refused = answers.find(({ status }) => status !== 201)!;
  assert.deepEqual(
    [refused.status, refused.body],
    [409, { error: 'A game can have at most 100 invitations: withdraw one first' }],
  );
});

test('an account sends at most 100 invitations an hour for all its games together', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  await server.database.execute(sql`
    INSERT INTO audit_log (game_id, account_id, action, target, details, at)
    SELECT gen_random_uuid(), ${owner.account_id}, 'invite_member', 'x', '{}', now() - interval '59 minutes'
    FROM generate_series(1, 99)`);
  assert.equal((await server.invite(game_id, owner, server.makeAddress())).status, 201);
  const refused = await server.invite(game_id, owner, server.makeAddress());
  assert.equal(refused.status, 429);
  assert.equal(refused.body.error, 'Too Many Requests');
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 60, String(seconds));
});

test('all members of a game on the Free tier together send at most 50 invitations in 24 hours', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  await server.database.execute(sql`
    INSERT INTO audit_log (game_id, account_id, action, target, details, at)
    SELECT ${game_id}, gen_random_uuid(), 'invite_member', 'x', '{}', now() - interval '1 hour' * n
    FROM generate_series(1, 23) AS n, generate_series(1, 2) AS twice`);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => server.invite(game_id, owner, server.makeAddress())),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 403, 403]);
  const { error, ...rest } = answers.find(({ status }) => status === 403)!.body;
  assert.match(error, /50 invitations in 24 hours: try again tomorrow/);
  assert.deepEqual(rest, {
    code: 'LIMIT_REACHED',
    resource: 'daily_invitations',
    limit: 50,
    used: 50,
  });
});

test('the name of a game appears in mails as plain text, never as a header or HTML', async () => {
  const { game_id, owner } = await server.makeOwnedGame();
  const name = 'Evil\r\nBcc: victim@studio.example\r\n\r\n<b>https://evil.example</b>';
  await server.request('PATCH', `/v1/games/${game_id}`, { token: owner.token, body: { name } });
  const email = server.makeAddress();
  await server.invite(game_id, owner, email);
  const mail = await waitForMail(server.data_dir, email);
  assert.equal(mail.subject, 'Invitation to a game in Overworld');
  assert.equal(mail.bcc, undefined);
  assert.ok(!mail.html!.includes('<b>'));
  for (const text of [mail.html!, mail.text!]) {
    assert.doesNotMatch(text, /evil\.example|https:\/\/evil|victim@studio/);
    assert.match(text.replaceAll('\u200B', ''), /https:\/\/evil\.example/);
  }
  assert.equal((await listMails(server.data_dir, 'victim@studio.example')).length, 0);
});
