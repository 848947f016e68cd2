import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { lockGame } from '../../platform/game-lock.ts';
import { sql } from '../../platform/database/sql.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAccount } from '../../../test/test-account.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { useTwoServers } from '../../../test/two-servers.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
before(() => {
  [server, secondNode] = nodes;
});

interface Key {
  id: string;
  key: string;
}

/** Makes a game with an owner and another member. The other member has made a key for each environment. */
async function makeTeam(role: 'admin' | 'developer' = 'admin') {
  const { game_id } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const member = await server.makeAccount({ game_id, role: 'admin' });
  const make = async (environment: string): Promise<Key> => {
    const path = `/v1/games/${game_id}/api-keys`;
    const body = { name: `${environment} key`, environment };
    return (await server.request('POST', path, { token: member.token, body })).body;
  };
  const keys = { production: await make('production'), development: await make('development') };
  const path = `/v1/games/${game_id}/members/${member.account_id}`;
  if (role !== 'admin') {
    await server.request('PATCH', path, { token: owner.token, body: { role } });
  }
  const remove = (by: TestAccount, key_ids: readonly string[]) => {
    const query = key_ids.map((id) => `revoke_api_keys=${id}`).join('&');
    return server.request('DELETE', `${path}?${query}`, { token: by.token });
  };
  const isMember = async () =>
    (await server.request('GET', `/v1/games/${game_id}`, { token: member.token })).status === 200;
  return { game_id, owner, member, keys, remove, isMember };
}

async function works(node: TestServer, { key }: Key): Promise<boolean> {
  return (await node.request('GET', '/v1/achievements', { key })).status === 200;
}

test('the removal of a member revokes, on every server, only the keys that the request lists', async () => {
  const { game_id, owner, member, keys, remove, isMember } = await makeTeam();
  for (const node of [server, secondNode]) assert.ok(await works(node, keys.production));
  assert.equal((await remove(owner, [keys.production.id])).status, 204);
  assert.ok(!(await isMember()));
  assert.ok(!(await works(server, keys.production)));
  await waitUntil('elsewhere, too', async () => !(await works(secondNode, keys.production)));
  assert.ok(await works(server, keys.development));

  const { body } = await server.request('GET', `/v1/games/${game_id}/audit-log?limit=2`, {
    token: owner.token,
  });
  assert.deepEqual(
    body.audit_log.map((entry: Record<string, string>) => [
      entry.account_email,
      entry.action,
      entry.target,
    ]),
    [
      [owner.email, 'revoke_api_key', keys.production.id],
      [owner.email, 'remove_member', member.email],
    ],
  );
});

test('a request to leave that lists a key that the member may not revoke is refused, and nothing changes', async () => {
  const { member, keys, remove, isMember } = await makeTeam('developer');
  const refused = await remove(member, [keys.development.id, keys.production.id]);
  assert.equal(refused.status, 403);
  assert.ok(await isMember());
  for (const key of Object.values(keys)) assert.ok(await works(server, key));
  assert.equal((await remove(member, [keys.development.id])).status, 204);
  assert.ok(!(await works(server, keys.development)));
  assert.ok(await works(server, keys.production));
});

test('listing a key of another game is refused with 404, an invalid id with 400, and nothing changes', async () => {
  const { owner, keys, remove, isMember } = await makeTeam();
  const other = await makeTeam();
  const foreign = await remove(owner, [keys.development.id, other.keys.development.id]);
  assert.deepEqual([foreign.status, foreign.body], [404, { error: 'API key not found' }]);
  const wrong = await remove(owner, ['first']);
  assert.deepEqual(
    [wrong.status, wrong.body],
    [400, { error: 'revoke_api_keys[0] must be a valid uuid' }],
  );
  assert.ok(await isMember());
  for (const key of [keys.development, other.keys.development]) {
    assert.ok(await works(server, key));
  }
});

test('a removal also succeeds if it lists a key twice, or a key that was already revoked', async () => {
  const { game_id, owner, keys, remove } = await makeTeam();
  const { id } = keys.development;
  const path = `/v1/games/${game_id}/api-keys/${id}`;
  assert.equal((await server.request('DELETE', path, { token: owner.token })).status, 204);
  assert.equal((await remove(owner, [id, id.toUpperCase()])).status, 204);
});

test('while a member is being removed, the member cannot make or replace keys', async () => {
  const { game_id, member, keys } = await makeTeam();
  const { database } = server;
  const path = `/v1/games/${game_id}/api-keys`;
  for (const [url, body] of [
    [path, { name: 'Kept', environment: 'production' }],
    [`${path}/${keys.production.id}/rotate`, {}],
  ] as const) {
    let made: ReturnType<typeof server.request>;
    await database.transaction(async (tx) => {
      await lockGame(tx, game_id);
      made = server.request('POST', url, { token: member.token, body });
      await waitForLock(database);
      await tx.execute(sql`
        DELETE FROM game_members
        WHERE game_id = ${game_id} AND account_id = ${member.account_id}`);
    });
    assert.equal((await made!).status, 404);
    await database.execute(sql`
      INSERT INTO game_members (game_id, account_id, role)
      VALUES (${game_id}, ${member.account_id}, 'admin')`);
  }
});
