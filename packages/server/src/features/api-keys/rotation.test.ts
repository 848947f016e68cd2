import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MAX_API_KEYS } from '@overworld/contract/games/api-keys';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAccount } from '../../../test/test-account.ts';
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

interface Studio {
  game_id: string;
  owner: TestAccount;
  make(environment?: string): Promise<{ id: string; key: string; prefix: string }>;
  rotate(id: string, body: object, by?: TestAccount): ReturnType<TestServer['request']>;
  list(query?: string): Promise<Record<string, unknown>[]>;
}

async function openStudio(): Promise<Studio> {
  const { game_id } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const { token } = owner;
  return {
    game_id,
    owner,
    async make(environment = 'development') {
      const body = { name: 'Steam build', environment };
      return (await server.request('POST', keysOf(game_id), { token, body })).body;
    },
    rotate: (id, body, by = owner) =>
      server.request('POST', `${keysOf(game_id)}/${id}/rotate`, { token: by.token, body }),
    async list(query = '') {
      return (await server.request('GET', keysOf(game_id) + query, { token })).body.api_keys;
    },
  };
}

async function works(node: TestServer, key: string): Promise<boolean> {
  const { status, body } = await node.request('GET', '/v1/achievements', { key });
  if (status === 401) assert.deepEqual(body, { error: 'Invalid API key' });
  else assert.equal(status, 200);
  return status === 200;
}

test('after a rotation both keys work, the list names the new key, and its text is shown once', async () => {
  const studio = await openStudio();
  const old = await studio.make('production');
  const answer = await studio.rotate(old.id, {});
  assert.equal(answer.status, 201);
  const { key, old_key, ...shown } = answer.body;
  assert.match(key, /^ow_live_/);
  assert.notEqual(key, old.key);
  assert.deepEqual(
    [shown.name, shown.environment, shown.expires_at, shown.replaced_by],
    ['Steam build', 'production', null, null],
  );
  assert.deepEqual([old_key.id, old_key.replaced_by], [old.id, shown.id]);
  const left_hours = (Date.parse(old_key.expires_at) - Date.now()) / 3_600_000;
  assert.ok(Math.abs(left_hours - 24) < 0.1, `${left_hours} hours`);
  for (const node of [server, secondNode]) {
    assert.ok((await works(node, old.key)) && (await works(node, key)));
  }
  const listed = await studio.list();
  assert.deepEqual(listed.slice(0, 2), [shown, old_key]);
  assert.ok(!JSON.stringify(listed).includes(key));
  const { token } = studio.owner;
  const log = await server.request('GET', `/v1/games/${studio.game_id}/audit-log`, { token });
  const [entry] = log.body.audit_log;
  assert.deepEqual(
    [entry.action, entry.target, entry.details.replaced_by, entry.details.expires_at],
    ['rotate_api_key', old.id, shown.id, old_key.expires_at],
  );
  assert.ok(!log.text.includes(key));
});

test('the old key stops working at its `expires_at` on every server, even on one that has cached it', async () => {
  const studio = await openStudio();
  const old = await studio.make();
  for (const node of [server, secondNode]) assert.ok(await works(node, old.key));
  const answer = await studio.rotate(old.id, { old_key_valid_hours: 3 / 3_600 });
  const expires_at = Date.parse(answer.body.old_key.expires_at);
  await Promise.all(
    [server, secondNode].map(async (node) => {
      let last_worked = 0;
      await waitUntil('the old key stops', async () => {
        const asked_at = Date.now();
        const isGood = await works(node, old.key);
        if (isGood) last_worked = asked_at;
        return !isGood;
      });
      assert.ok(last_worked > 0, 'it worked for a while');
      assert.ok(last_worked <= expires_at, `it worked ${last_worked - expires_at} ms too long`);
      assert.ok(await works(node, answer.body.key));
    }),
  );
  // An expired key counts as revoked: it is not listed as valid, and revoking it changes nothing.
  assert.ok(!(await studio.list('?state=valid')).some(({ id }) => id === old.id));
  const { token } = studio.owner;
  const path = `${keysOf(studio.game_id)}/${old.id}`;
  assert.equal((await server.request('DELETE', path, { token })).status, 204);
  const listed = (await studio.list()).find(({ id }) => id === old.id)!;
  assert.equal(listed.revoked_at, null);
  const again = await studio.rotate(old.id, {});
  assert.equal(again.status, 409);
  assert.deepEqual(again.body, { error: 'This API key does not work any more: make a new one' });
});

test('after a rotation with 0 hours, the same server refuses the old key at once, and other servers refuse it after a notification', async () => {
  const studio = await openStudio();
  const old = await studio.make();
  for (const node of [server, secondNode]) assert.ok(await works(node, old.key));
  const { body } = await studio.rotate(old.id, { old_key_valid_hours: 0 });
  assert.ok(!(await works(server, old.key)));
  // The other node has the old key in memory until a notification removes it.
  await waitUntil('the other node refuses it', async () => !(await works(secondNode, old.key)));
  assert.ok(await works(secondNode, body.key));
});

test('a replaced key that still works can be revoked', async () => {
  const studio = await openStudio();
  const old = await studio.make();
  await studio.rotate(old.id, { old_key_valid_hours: 48 });
  const { token } = studio.owner;
  const path = `${keysOf(studio.game_id)}/${old.id}`;
  assert.equal((await server.request('DELETE', path, { token })).status, 204);
  assert.ok(!(await works(server, old.key)));
});

test('exactly one of twenty parallel rotations succeeds', async () => {
  const studio = await openStudio();
  const old = await studio.make();
  const answers = await Promise.all(Array.from({ length: 20 }, () => studio.rotate(old.id, {})));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  const refused = answers.find(({ status }) => status !== 201)!;
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body, {
    error: 'This API key was replaced already: rotate the key that replaced it',
  });
  assert.equal((await studio.list('?state=valid')).length, 4);
});

test('a wrong time answers 400, an unknown key 404, too many keys 409, and nothing changes', async () => {
  const studio = await openStudio();
  const old = await studio.make();
  for (const [hours, error] of [
    [-1, 'old_key_valid_hours must be at least 0'],
    [2_160.5, 'old_key_valid_hours must be at most 2160'],
    ['24', 'old_key_valid_hours must be a number'],
  ]) {
    const refused = await studio.rotate(old.id, { old_key_valid_hours: hours });
    assert.deepEqual([refused.status, refused.body], [400, { error }]);
  }
  assert.equal((await studio.rotate(NOBODY, {})).status, 404);
  const foreign = await (await openStudio()).make();
  assert.equal((await studio.rotate(foreign.id, {})).status, 404);
  await server.database.execute(sql`
    INSERT INTO api_keys (game_id, environment, name, prefix, key_hash)
    SELECT ${studio.game_id}, 'development', 'old', 'ow_dev_', ${studio.game_id}::text || number
    FROM generate_series(4, ${MAX_API_KEYS}::int) AS number`);
  const full = await studio.rotate(old.id, {});
  assert.equal(full.status, 409);
  const listed = (await studio.list('?limit=200')).find(({ id }) => id === old.id)!;
  assert.deepEqual([listed.expires_at, listed.replaced_by], [null, null]);
  assert.ok(await works(server, old.key));
});

test('a developer may replace development keys, and production keys need the role admin', async () => {
  const studio = await openStudio();
  const { game_id } = studio;
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const admin = await server.makeAccount({ game_id, role: 'admin' });
  const production = await studio.make('production');
  assert.equal((await studio.rotate(production.id, {}, developer)).status, 403);
  assert.equal((await studio.rotate(production.id, {}, admin)).status, 201);
  const development = await studio.make();
  const made = await studio.rotate(development.id, {}, developer);
  assert.equal(made.status, 201);
  assert.equal(made.body.created_by.email, developer.email);
});

test('events that were sent with the old key are not stored again with the new key', async () => {
  const studio = await openStudio();
  const first = await studio.make();
  const body = { event_name: 'e', session_id: 's', player_id: 'p' };
  const track = (key: string) =>
    server.request('POST', '/v1/track', { key, body, headers: { 'idempotency-key': 'request-1' } });
  const answered = await track(first.key);
  assert.equal(answered.status, 202);
  const second = (await studio.rotate(first.id, {})).body;
  const third = (await studio.rotate(second.id, {})).body;
  const other = await studio.make();
  for (const { key } of [second, third, first]) {
    const repeated = await track(key);
    assert.deepEqual([repeated.status, repeated.body], [202, answered.body]);
  }
  assert.equal((await track(other.key)).body.quota.remaining, answered.body.quota.remaining - 1);
  const { token } = studio.owner;
  const usage = await server.request('GET', `/v1/games/${studio.game_id}/usage`, { token });
  assert.equal(usage.body.used, 2);
});

test('the list names the maker of a key, or null, and says whether the maker is still a member', async () => {
  const studio = await openStudio();
  const { game_id } = studio;
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const body = { name: 'Mine', environment: 'development' };
  const made = await server.request('POST', keysOf(game_id), { token: developer.token, body });
  const maker = { account_id: developer.account_id, email: developer.email };
  assert.deepEqual(made.body.created_by, { ...maker, is_member: true });
  const [mine, ...older] = await studio.list();
  assert.deepEqual(mine!.created_by, { ...maker, is_member: true });
  assert.deepEqual(
    older.map(({ created_by }) => created_by),
    [null, null],
  );
  await server.database.execute(sql`DELETE FROM accounts WHERE id = ${developer.account_id}`);
  assert.deepEqual((await studio.list())[0]!.created_by, { ...maker, is_member: false });
  assert.ok(await works(server, made.body.key));
});
