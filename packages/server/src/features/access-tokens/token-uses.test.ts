import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForMail } from '../../../test/mailbox.ts';
import { sql } from '../../platform/database/sql.ts';
import { deleteUselessTokens } from './store.ts';

const TOKENS = '/v1/access-tokens';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { RATE_LIMIT_PER_MINUTE: '20' } });
});
after(() => server.close());

async function openStudio() {
  const { game_id } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const makeToken = () => server.makeAccessToken(owner.account_id, [game_id], 'viewer');
  const ask = (token: string) => server.request('GET', `/v1/games/${game_id}/alerts`, { token });
  return { game_id, owner, makeToken, ask };
}

test('each token has a request rate of its own', async () => {
  const { owner, makeToken, ask } = await openStudio();
  const [first, second] = [await makeToken(), await makeToken()];
  for (let left = 19; left >= 0; left--) {
    const { status, headers } = await ask(first.token);
    assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [200, String(left)]);
  }
  assert.equal((await ask(first.token)).status, 429);
  assert.equal((await ask(second.token)).status, 200);
  assert.equal((await ask(owner.token)).status, 200);
});

test('tokens that are not valid count against the address of their sender', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  await using proxied = await startTestServer({
    env: { RATE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: 'true' },
  });
  const token = `ow_pat_${'0'.repeat(49)}`;
  const statuses: number[] = [];
  for (let sent = 0; sent < 6; sent++) {
    statuses.push((await proxied.request('GET', '/v1/games', { token, headers })).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
});

test('if a second factor is required, a token works once its account has one', async () => {
  const { owner, makeToken, ask } = await openStudio();
  const { token } = await makeToken();
  await server.database.execute(sql`
    INSERT INTO installation (name, value) VALUES ('require_second_factor', 'everybody')`);
  const refused = await ask(token);
  assert.deepEqual([refused.status, refused.body.code], [403, 'SECOND_FACTOR_SETUP_REQUIRED']);
  const listed = await server.request('GET', TOKENS, owner);
  assert.equal(listed.status, 403);
  await server.database.execute(sql`
    INSERT INTO totp_factors (account_id, sealed_secret, last_step)
    VALUES (${owner.account_id}, '', 0)`);
  assert.equal((await ask(token)).status, 200);
  await server.database.execute(sql`
    DELETE FROM installation WHERE name = 'require_second_factor'`);
});

test('the owner of the account gets a mail about a new token, without the token', async () => {
  const { game_id, owner } = await openStudio();
  const body = {
    name: 'https://evil.example',
    role: 'viewer',
    game_ids: [game_id],
    password: owner.password,
  };
  const { token } = (await server.request('POST', TOKENS, { token: owner.token, body })).body;
  const mail = await waitForMail(server.data_dir, owner.email);
  assert.equal(mail.subject, 'A new access token of your Overworld account');
  assert.ok(mail.text!.includes('evil') && !mail.text!.includes(token));
  assert.ok(!mail.text!.includes('https://evil.example'));
});

test('the time of the last use is written, at most once a minute', async () => {
  const { game_id, owner, makeToken } = await openStudio();
  const { token, token_id } = await makeToken();
  const lastUsed = async () => {
    const row = await server.database.queryOne<{ at: string | null }>(sql`
      SELECT last_used_at::text AS at FROM access_tokens WHERE id = ${token_id}`);
    return row!.at;
  };
  /** Uses the token on a server that then stops, because a server writes the uses at the latest then. */
  const use = async () => {
    const stopping = await startTestServer({ database_url: server.database_url });
    const { status } = await stopping.request('GET', `/v1/games/${game_id}/alerts`, { token });
    assert.equal(status, 200);
    await stopping.close();
  };
  assert.equal(await lastUsed(), null);
  await use();
  const first = await lastUsed();
  assert.notEqual(first, null);
  await use();
  assert.equal(await lastUsed(), first);
  await server.database.execute(sql`
    UPDATE access_tokens SET last_used_at = now() - interval '61 seconds'
    WHERE id = ${token_id}`);
  await use();
  assert.ok((await lastUsed())! > first!);
  const listed = await server.request('GET', TOKENS, owner);
  assert.notEqual(listed.body.access_tokens[0].last_used_at, null);
});

test('tokens that expired a month ago or reach no game are deleted', async () => {
  const { game_id, owner, makeToken, ask } = await openStudio();
  const [kept, expired, forgotten, useless] = [
    await makeToken(),
    await makeToken(),
    await makeToken(),
    await makeToken(),
  ];
  const expire = (token_id: string, days: number) =>
    server.database.execute(sql`
      UPDATE access_tokens SET expires_at = now() - ${days}::integer * interval '1 day'
      WHERE id = ${token_id}`);
  await expire(expired.token_id, 29);
  await expire(forgotten.token_id, 31);
  await server.database.execute(sql`
    DELETE FROM access_token_games WHERE token_id = ${useless.token_id}`);
  await deleteUselessTokens(server.database);
  const left = await server.database.query(sql`
    SELECT FROM access_tokens WHERE account_id = ${owner.account_id}`);
  assert.equal(left.length, 2);
  const { body } = await server.request('GET', TOKENS, owner);
  assert.deepEqual(
    new Set(body.access_tokens.map(({ id }: { id: string }) => id)),
    new Set([kept.token_id, expired.token_id]),
  );
  const late = await ask(expired.token);
  assert.deepEqual([late.status, late.body], [401, { error: 'Token expired' }]);

  const deleted = await server.request('DELETE', `/v1/games/${game_id}`, owner);
  assert.equal(deleted.status, 204);
  assert.equal((await ask(kept.token)).status, 401);
});
