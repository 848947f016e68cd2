import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { sql } from '../../platform/database/sql.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
before(() => {
  [server, secondNode] = nodes;
});

const keysOf = (game_id: string) => `/v1/games/${game_id}/api-keys`;

/** Sends a request that changes nothing, and tells whether the server accepts the key. */
async function works(node: TestServer, key: string): Promise<boolean> {
  const { status } = await node.request('GET', '/v1/achievements', { key });
  assert.ok(status === 200 || status === 401, String(status));
  return status === 200;
}

test('POST answers 201 with the key, which is shown only once and is stored as a hash', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const body = { name: 'Build server', environment: 'development' };
  const created = await server.request('POST', keysOf(game_id), { token, body });
  assert.equal(created.status, 201);
  assert.equal(Object.keys(created.body)[0], 'id');
  const { key, ...shown } = created.body;
  assert.match(key, /^ow_dev_[A-Za-z0-9_-]{32}$/);
  assert.ok(key.startsWith(shown.prefix) && shown.prefix.length === 'ow_dev_'.length + 6);
  assert.equal(shown.last_used_at, null);
  assert.ok(await works(server, key));

  const listed = await server.request('GET', keysOf(game_id), { token });
  assert.ok(!listed.text.includes(key));
  assert.deepEqual(listed.body.api_keys[0], shown);
  const stored = await server.database.queryOne<{ everything: string }>(sql`
    SELECT string_agg(row::text, '') AS everything FROM (
      SELECT api_keys::text AS row FROM api_keys UNION ALL SELECT audit_log::text FROM audit_log
    ) AS rows`);
  assert.ok(!stored!.everything.includes(key));
});

test('the key of a request decides its environment, and production keys begin with ow_live_', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const keys: Record<string, string> = {};
  for (const environment of ['production', 'development']) {
    const body = { name: environment, environment };
    const { key } = (await server.request('POST', keysOf(game_id), { token, body })).body;
    keys[environment] = key;
    const save = { player_id: 'p1', data: { environment } };
    assert.equal((await server.request('PUT', '/v1/saves', { key, body: save })).status, 200);
  }
  assert.match(keys.production!, /^ow_live_/);
  for (const [environment, key] of Object.entries(keys)) {
    const { body } = await server.request('GET', '/v1/saves?player_id=p1', { key });
    assert.deepEqual([body.data, body.version], [{ environment }, 1]);
  }
});

test('developers make and revoke development keys, but production keys need the role admin', async () => {
  const { game_id } = await server.makeGame();
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const admin = await server.makeAccount({ game_id, role: 'admin' });
  const make = (token: string, environment: string) =>
    server.request('POST', keysOf(game_id), { token, body: { name: 'k', environment } });
  const refused = await make(developer.token, 'production');
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body, {
    error: 'This needs the role admin; yours in this game is developer',
  });
  const development = await make(developer.token, 'development');
  const production = await make(admin.token, 'production');
  assert.deepEqual([development.status, production.status], [201, 201]);
  const revoke = (token: string, id: string) =>
    server.request('DELETE', `${keysOf(game_id)}/${id}`, { token });
  assert.equal((await revoke(developer.token, production.body.id)).status, 403);
  assert.ok(await works(server, production.body.key));
  assert.equal((await revoke(developer.token, development.body.id)).status, 204);
  assert.equal((await revoke(admin.token, production.body.id)).status, 204);
  assert.ok(!(await works(server, production.body.key)));
});

test('a second DELETE answers 204 and changes nothing, and a key that the game does not have gets 404', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const body = { name: 'k', environment: 'production' };
  const { id } = (await server.request('POST', keysOf(game_id), { token, body })).body;
  const revoke = (key_id: string) =>
    server.request('DELETE', `${keysOf(game_id)}/${key_id}`, { token });
  const revokedAt = async () =>
    (await server.request('GET', keysOf(game_id), { token })).body.api_keys.find(
      (key: { id: string }) => key.id === id,
    ).revoked_at;
  assert.equal(await revokedAt(), null);
  assert.equal((await revoke(id)).status, 204);
  const first = await revokedAt();
  assert.notEqual(first, null);
  assert.equal((await revoke(id)).status, 204);
  assert.equal(await revokedAt(), first);
  const log = await server.request('GET', `/v1/games/${game_id}/audit-log?action=revoke_api_key`, {
    token,
  });
  assert.equal(log.body.audit_log.length, 1);

  const other = await server.makeGame();
  const foreign = await server.database.queryOne<{ id: string }>(
    sql`SELECT id FROM api_keys WHERE game_id = ${other.game_id} LIMIT 1`,
  );
  for (const key_id of [NOBODY, foreign!.id]) {
    const answer = await revoke(key_id);
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.body, { error: 'API key not found' });
  }
  assert.ok(await works(server, other.production_key));
});

test('the list has pages, shows the newest keys first, and includes revoked keys', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `${keysOf(game_id)}?limit=1${cursor && `&cursor=${cursor}`}`;
    const { body } = await server.request('GET', path, { token });
    seen.push(...body.api_keys.map((key: { environment: string }) => key.environment));
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen, ['development', 'production']);
});

test('a game has at most 100 valid keys, even after parallel requests', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await server.database.execute(sql`
    INSERT INTO api_keys (game_id, environment, name, prefix, key_hash)
    SELECT ${game_id}, 'development', 'old', 'ow_dev_', ${game_id}::text || number
    FROM generate_series(1, 93) AS number`);
  const body = { name: 'k', environment: 'development' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => server.request('POST', keysOf(game_id), { token, body })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 5);
  const refused = answers.find(({ status }) => status !== 201)!;
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body, {
    error: 'A game can have at most 100 API keys: revoke one first',
  });
});

test('last_used_at of a used key is stored at the latest when the server stops', async () => {
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const stopping = await startTestServer({ database_url: server.database_url });
  assert.ok(await works(stopping, production_key));
  await stopping.close();
  const { body } = await server.request('GET', keysOf(game_id), { token });
  const [development, production] = body.api_keys;
  assert.equal(development.last_used_at, null);
  assert.ok(Math.abs(Date.parse(production.last_used_at) - Date.now()) < 60_000);
});

test('the server that revokes a key refuses it immediately, and others refuse it after a notification', async () => {
  const { game_id, production_key } = await server.makeGame();
  await revokeAndWatch(game_id, production_key);
});

test('every server refuses a revoked key, even if its LISTEN connection was lost just before', async () => {
  for (let round = 0; round < 3; round++) {
    const { game_id, production_key } = await server.makeGame();
    assert.ok(await works(secondNode, production_key));
    await server.database.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'overworld'
        AND pid <> pg_backend_pid()`);
    await revokeAndWatch(game_id, production_key);
  }
});

/**
 * Revokes a key on one server after both servers have cached it. Waits until the other server refuses the
 * key.
 */
async function revokeAndWatch(game_id: string, key: string): Promise<void> {
  const { token } = await server.makeAccount({ game_id });
  const { id } = (await server.database.queryOne<{ id: string }>(
    sql`SELECT id FROM api_keys WHERE game_id = ${game_id} AND environment = 'production'`,
  ))!;
  const path = `${keysOf(game_id)}/${id}`;
  await waitUntil('the other node knows the key', () => works(secondNode, key));
  assert.ok(await works(server, key));
  // Just after its connections were cut, a server may answer 503. The client must then send the request
  // again.
  await waitUntil('the key is revoked', async () => {
    const { status } = await server.request('DELETE', path, { token });
    return status === 204;
  });
  assert.ok(!(await works(server, key)), 'it stops at once on the node that revokes it');
  // The other server keeps the key in its cache until a notification removes it.
  await waitUntil('the other node refuses it', async () => !(await works(secondNode, key)));
}
