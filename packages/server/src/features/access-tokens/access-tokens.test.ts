import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TokenRole } from '@overworld/contract/operation';
import { useTwoServers } from '../../../test/two-servers.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAccount } from '../../../test/test-account.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { lockAccountRow } from '../../platform/auth/account-lock.ts';
import { sql } from '../../platform/database/sql.ts';

const TOKENS = '/v1/access-tokens';

const nodes = useTwoServers();
let server: TestServer;
before(() => {
  [server] = nodes;
});

const make = (account: TestAccount, game_ids: readonly string[], more: object = {}) =>
  server.request('POST', TOKENS, {
    token: account.token,
    body: { name: 'Nightly build', role: 'viewer', game_ids, password: account.password, ...more },
  });

/** Makes a game with an owner, and an access token of the owner for it. */
async function openStudio(role: TokenRole = 'owner') {
  const { game_id } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const { token, token_id } = await server.makeAccessToken(owner.account_id, [game_id], role);
  return { game_id, owner, token, token_id };
}

/** Returns the statuses of the same call on both servers. */
const statusesOf = async (token: string, path: string) =>
  Promise.all(nodes.map(async (node) => (await node.request('GET', path, { token })).status));

test('POST answers 201 with the token, which is shown only once and is stored as a hash', async () => {
  const { game_id, owner } = await openStudio();
  const made = await make(owner, [game_id, game_id.toUpperCase()], { role: 'developer' });
  assert.equal(made.status, 201, made.text);
  const { token, ...shown } = made.body;
  assert.match(token, /^ow_pat_[0-9A-Za-z]{49}$/);
  assert.ok(token.startsWith(shown.prefix));
  assert.deepEqual(
    [shown.role, shown.games, shown.last_used_at],
    ['developer', [{ game_id, name: 'Test game' }], null],
  );
  const lasts_ms = Date.parse(shown.expires_at) - Date.parse(shown.created_at);
  assert.equal(lasts_ms, 90 * 86_400_000);
  assert.deepEqual(await statusesOf(token, `/v1/games/${game_id}/alerts`), [200, 200]);

  const listed = await server.request('GET', TOKENS, { token: owner.token });
  assert.ok(!listed.text.includes(token));
  const stored = await server.database.queryOne<{ everything: string }>(sql`
    SELECT string_agg(row::text, '') AS everything FROM (
      SELECT access_tokens::text AS row FROM access_tokens
      UNION ALL SELECT audit_log::text FROM audit_log
      UNION ALL SELECT mail_outbox::text FROM mail_outbox
    ) AS rows`);
  assert.ok(stored!.everything.includes(shown.prefix));
  assert.ok(!stored!.everything.includes(token));
});

test('a lock or the end of the session refuses a token that is being made at that moment', async () => {
  for (const [ending, status] of [
    [sql`UPDATE accounts SET status = 'locked' WHERE id = `, 403],
    [sql`DELETE FROM account_sessions WHERE account_id = `, 401],
  ] as const) {
    const { game_id } = await server.makeGame();
    const owner = await server.makeAccount({ game_id });
    const answer = await server.database.transaction(async (tx) => {
      await lockAccountRow(tx, owner.account_id);
      await tx.execute(sql`${ending}${owner.account_id}`);
      const made = make(owner, [game_id]);
      await waitForLock(server.database);
      return { made };
    });
    assert.equal((await answer.made).status, status);
    const tokens = await server.database.query(
      sql`SELECT FROM access_tokens WHERE account_id = ${owner.account_id}`,
    );
    assert.equal(tokens.length, 0);
  }
});

test('a token has its own role or the present role of its member, whichever is lower', async () => {
  const { game_id } = await server.makeGame();
  const member = await server.makeAccount({ game_id, role: 'admin' });
  const { token } = await server.makeAccessToken(member.account_id, [game_id], 'developer');
  const rename = (body: object) => server.request('PATCH', `/v1/games/${game_id}`, { token, body });
  assert.equal((await rename({ event_validation: 'warn' })).status, 200);
  const { status, body } = await rename({ name: 'Other name' });
  const error = 'This needs the role admin; yours in this game is developer';
  assert.deepEqual([status, body], [403, { error }]);
  const listed = await server.request('GET', '/v1/games', { token });
  assert.equal(listed.body.games[0].role, 'developer');

  await server.database.execute(sql`
    UPDATE game_members SET role = 'viewer' WHERE account_id = ${member.account_id}`);
  const refused = await rename({ event_validation: 'off' });
  const lower = 'This needs the role developer; yours in this game is viewer';
  assert.deepEqual([refused.status, refused.body], [403, { error: lower }]);
  assert.deepEqual(await statusesOf(token, `/v1/games/${game_id}/alerts`), [200, 200]);
  assert.deepEqual(await statusesOf(token, `/v1/games/${game_id}/audit-log`), [403, 403]);
});

test('a token of a member who leaves is gone on every server, and stays gone when the member returns', async () => {
  const first = await server.makeGame();
  const second = await server.makeGame();
  const ids = [first.game_id, second.game_id];
  const owner = await server.makeAccount({ game_id: ids[0]! });
  const member = await server.makeAccount({ game_id: ids[0]!, role: 'viewer' });
  const join = (game_id: string) =>
    server.database.execute(sql`
      INSERT INTO game_members (game_id, account_id, role)
      VALUES (${game_id}, ${member.account_id}, 'viewer')`);
  await join(ids[1]!);
  const of_both = await server.makeAccessToken(member.account_id, ids, 'viewer');
  const of_first = await server.makeAccessToken(member.account_id, [ids[0]!], 'viewer');
  const alertsOf = (game_id: string) => `/v1/games/${game_id}/alerts`;
  assert.deepEqual(await statusesOf(of_first.token, alertsOf(ids[0]!)), [200, 200]);

  const path = `/v1/games/${ids[0]}/members/${member.account_id}`;
  const removed = await server.request('DELETE', path, { token: owner.token });
  assert.equal(removed.status, 204, removed.text);
  for (const returns of [false, true]) {
    if (returns) await join(ids[0]!);
    assert.deepEqual(await statusesOf(of_first.token, alertsOf(ids[0]!)), [401, 401]);
    assert.deepEqual(await statusesOf(of_both.token, alertsOf(ids[0]!)), [404, 404]);
    assert.deepEqual(await statusesOf(of_both.token, alertsOf(ids[1]!)), [200, 200]);
  }
});

test('a revoked token stops immediately on every server', async () => {
  const { game_id, owner, token, token_id } = await openStudio();
  const stranger = await server.makeAccount();
  const alerts = `/v1/games/${game_id}/alerts`;
  assert.deepEqual(await statusesOf(token, alerts), [200, 200]);
  const revoke = (by: TestAccount) =>
    server.request('DELETE', `${TOKENS}/${token_id}`, { token: by.token });
  assert.equal((await revoke(stranger)).status, 404);
  assert.deepEqual(await statusesOf(token, alerts), [200, 200]);
  assert.equal((await revoke(owner)).status, 204);
  assert.deepEqual(await statusesOf(token, alerts), [401, 401]);
  const again = await revoke(owner);
  assert.deepEqual([again.status, again.body], [404, { error: 'Access token not found' }]);
});

test('admins see the tokens of all members that reach their game, and revoke them for this game only', async () => {
  const { game_id, owner } = await openStudio();
  const other = await server.makeGame();
  const admin = await server.makeAccount({ game_id, role: 'admin' });
  await server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${other.game_id}, ${owner.account_id}, 'owner')`);
  const ids = [game_id, other.game_id];
  const { token, token_id } = await server.makeAccessToken(owner.account_id, ids, 'viewer');
  const path = `/v1/games/${game_id}/access-tokens`;
  const { body, text } = await server.request('GET', path, { token: admin.token });
  assert.equal(body.access_tokens.length, 2);
  assert.deepEqual(
    [body.access_tokens[0].id, body.access_tokens[0].email],
    [token_id, owner.email],
  );
  assert.ok(!text.includes(other.game_id));

  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const revoke = (by: TestAccount) =>
    server.request('DELETE', `${path}/${token_id}`, { token: by.token });
  const seen = await server.request('GET', path, { token: developer.token });
  assert.deepEqual(seen.body.access_tokens, []);
  assert.equal((await revoke(developer)).status, 404);
  assert.equal((await revoke(admin)).status, 204);
  assert.equal((await revoke(admin)).status, 404);
  assert.deepEqual(await statusesOf(token, `/v1/games/${game_id}/alerts`), [404, 404]);
  assert.deepEqual(await statusesOf(token, `/v1/games/${other.game_id}/alerts`), [200, 200]);
  const log = await server.request('GET', `/v1/games/${game_id}/audit-log`, owner);
  const [entry] = log.body.audit_log;
  assert.deepEqual(
    [entry.action, entry.account_email, entry.details],
    ['revoke_access_token', admin.email, { name: 'test', made_by: owner.email }],
  );
});

test('a token is for games of which the account is a member, with its role there or a lower one', async () => {
  const { game_id, owner } = await openStudio();
  const { game_id: foreign_id } = await server.makeGame();
  const viewer = await server.makeAccount({ game_id, role: 'viewer' });
  const higher = await make(viewer, [game_id], { role: 'developer' });
  const error = 'In Test game your role is viewer: a token can have this role or a lower one';
  assert.deepEqual([higher.status, higher.body], [403, { error }]);
  assert.equal((await make(viewer, [game_id], { role: 'reports' })).status, 201);
  const foreign = await make(owner, [game_id, foreign_id]);
  assert.deepEqual([foreign.status, foreign.body], [404, { error: 'Game not found' }]);
  const administrator = await server.makeAccount({ is_administrator: true });
  assert.equal((await make(administrator, [game_id])).status, 404);
});

test('a token needs the password, a name, games, and an end within a year', async () => {
  const { game_id, owner } = await openStudio();
  for (const [more, error] of [
    [{ password: 'a wrong password' }, 'password is wrong'],
    [{ password: undefined }, 'password is required'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: '\u200B' }, undefined],
    [{ name: 'x'.repeat(101) }, undefined],
    [{ role: 'administrator' }, undefined],
    [{ role: undefined }, 'role is required'],
    [{ game_ids: [] }, undefined],
    [{ game_ids: ['nonsense'] }, undefined],
    [{ game_ids: Array.from({ length: 101 }, () => game_id) }, undefined],
    [{ game_ids: game_id }, undefined],
    [{ expires_in_days: 0 }, 'expires_in_days must be at least 1'],
    [{ expires_in_days: 366 }, 'expires_in_days must be at most 365'],
    [{ expires_in_days: 1.5 }, undefined],
  ] as [object, string | undefined][]) {
    const { status, body, text } = await make(owner, [game_id], more);
    assert.equal(status, 400, text);
    if (error !== undefined) assert.deepEqual(body, { error });
    assert.match(body.error, new RegExp(`^${Object.keys(more)[0]}`));
  }
  const { body } = await server.request('GET', TOKENS, owner);
  assert.equal(body.access_tokens.length, 1);
});

test('an account has at most 50 tokens that have not expired, even after parallel requests', async () => {
  const { game_id, owner } = await openStudio();
  await server.database.execute(sql`
    INSERT INTO access_tokens (account_id, name, role, prefix, token_hash, expires_at)
    SELECT ${owner.account_id}, CASE WHEN number > 56 THEN 'useless' ELSE 'old' END, 'viewer',
           'ow_pat_', ${game_id}::text || number,
           now() + CASE WHEN number BETWEEN 47 AND 56 THEN interval '-1 day' ELSE interval '1 day' END
    FROM generate_series(1, 60) AS number`);
  await server.database.execute(sql`
    INSERT INTO access_token_games (game_id, token_id, account_id)
    SELECT ${game_id}, id, account_id FROM access_tokens
    WHERE account_id = ${owner.account_id} AND name = 'old'`);
  const answers = await Promise.all(Array.from({ length: 5 }, () => make(owner, [game_id])));
  const refused = answers.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body]),
    Array.from({ length: 2 }, () => [
      409,
      { error: 'An account can have at most 50 access tokens: revoke one first' },
    ]),
  );
});

test('the audit log names the member and the token that made a change', async () => {
  const { game_id, owner, token, token_id } = await openStudio('developer');
  const body = { key: 'first_win', name: 'First win' };
  const path = `/v1/games/${game_id}/achievements`;
  assert.equal((await server.request('POST', path, { token, body })).status, 201);
  const log = await server.request('GET', `/v1/games/${game_id}/audit-log`, owner);
  const [{ account_id, account_email, details }] = log.body.audit_log;
  assert.deepEqual(
    [account_id, account_email, details.access_token, details.access_token_id],
    [owner.account_id, owner.email, 'test', token_id],
  );
});

test('a token for a few games sees no other games and players of its account', async () => {
  const { game_id, owner, token } = await openStudio();
  const other = await server.makeGame();
  await server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${other.game_id}, ${owner.account_id}, 'owner')`);
  const player = { player_id: 'p1', properties: {} };
  await server.request('POST', '/v1/identify', { key: other.production_key, body: player });
  const games = await server.request('GET', '/v1/games', { token });
  assert.deepEqual(
    games.body.games.map(({ id }: { id: string }) => id),
    [game_id],
  );
  for (const query of ['', `?game_id=${other.game_id}`]) {
    const path = `/v1/players/p1${query}`;
    assert.equal((await server.request('GET', path, { token })).status, 404);
    assert.equal((await server.request('GET', path, { token: owner.token })).status, 200);
  }
});

test('a token of an administrator reaches only the games for which it was made', async () => {
  const { game_id } = await server.makeGame();
  const { game_id: other_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id, role: 'viewer', is_administrator: true });
  const { token } = await server.makeAccessToken(account.account_id, [game_id], 'owner');
  assert.deepEqual(await statusesOf(token, `/v1/games/${game_id}/alerts`), [200, 200]);
  assert.deepEqual(await statusesOf(token, `/v1/games/${game_id}/audit-log`), [403, 403]);
  assert.deepEqual(await statusesOf(token, `/v1/games/${other_id}/alerts`), [404, 404]);
  assert.deepEqual(await statusesOf(token, '/v1/admin/users'), [403, 403]);
});

test('a token of an owner changes no members and makes no link to a dashboard', async () => {
  const { game_id, owner, token } = await openStudio();
  const member = await server.makeAccount({ game_id, role: 'viewer' });
  const ofGame = `/v1/games/${game_id}`;
  const listed = await server.request('GET', `${ofGame}/members`, { token });
  assert.equal(listed.status, 200);
  for (const [method, path, body] of [
    ['PATCH', `/members/${member.account_id}`, { role: 'owner' }],
    ['DELETE', `/members/${member.account_id}`, undefined],
    ['DELETE', `/members/${owner.account_id}`, undefined],
    ['POST', `/dashboards/${member.account_id}/links`, { name: 'x', environment: 'production' }],
  ] as const) {
    const answer = await server.request(method, ofGame + path, { token, body });
    const error = 'An access token cannot make this call: log in to make it';
    assert.deepEqual([answer.status, answer.body], [403, { error }]);
  }
  const again = await server.request('GET', `${ofGame}/members`, { token });
  assert.deepEqual(again.body, listed.body);
});

test('the database refuses a token with a role that does not exist', async () => {
  const { token_id } = await openStudio();
  await assert.rejects(
    server.database.execute(sql`
      UPDATE access_tokens SET role = 'administrator' WHERE id = ${token_id}`),
    /access_tokens_role_check/,
  );
});
