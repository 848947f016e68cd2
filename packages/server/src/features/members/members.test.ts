import assert from 'node:assert/strict';
import type { Role } from '@overworld/contract/operation';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAccount } from '../../../test/test-account.ts';
import { sql } from '../../platform/database/sql.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const LAST_OWNER = { error: 'A game needs an owner: make another member owner first' };

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Makes a game with one member of each role. */
async function makeTeam(): Promise<{ game_id: string } & Record<Role, TestAccount>> {
  const { game_id } = await server.makeGame();
  const [owner, admin, developer, viewer] = [
    await server.makeAccount({ game_id, role: 'owner' }),
    await server.makeAccount({ game_id, role: 'admin' }),
    await server.makeAccount({ game_id, role: 'developer' }),
    await server.makeAccount({ game_id, role: 'viewer' }),
  ];
  return { game_id, owner, admin, developer, viewer };
}

const setRole = (game_id: string, by: TestAccount, of: { account_id: string }, role: string) =>
  server.request('PATCH', `/v1/games/${game_id}/members/${of.account_id}`, {
    token: by.token,
    body: { role },
  });

const remove = (game_id: string, by: TestAccount, of: { account_id: string }) =>
  server.request('DELETE', `/v1/games/${game_id}/members/${of.account_id}`, { token: by.token });

async function listRoles(game_id: string): Promise<Record<string, Role>> {
  const rows = await server.database.query<{ account_id: string; role: Role }>(
    sql`SELECT account_id, role FROM game_members WHERE game_id = ${game_id}`,
  );
  return Object.fromEntries(rows.map(({ account_id, role }) => [account_id, role]));
}

test('GET lists the members to every member, in pages and in the order in which they joined', async () => {
  const { game_id, owner, admin, developer, viewer } = await makeTeam();
  const seen: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/v1/games/${game_id}/members?limit=3${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await server.request('GET', path, { token: viewer.token });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body.members[0]), ['account_id', 'email', 'role', 'joined_at']);
    seen.push(
      ...body.members.map((member: TestAccount & { role: Role }) => [
        member.account_id,
        member.email,
        member.role,
      ]),
    );
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen, [
    [owner.account_id, owner.email, 'owner'],
    [admin.account_id, admin.email, 'admin'],
    [developer.account_id, developer.email, 'developer'],
    [viewer.account_id, viewer.email, 'viewer'],
  ]);
});

test('an admin changes roles below owner, and the new role counts from the next request', async () => {
  const { game_id, admin, viewer } = await makeTeam();
  const changed = await setRole(game_id, admin, viewer, 'developer');
  assert.equal(changed.status, 200);
  assert.deepEqual([changed.body.account_id, changed.body.role], [viewer.account_id, 'developer']);
  const used = await server.request('PATCH', `/v1/games/${game_id}`, {
    token: viewer.token,
    body: { event_validation: 'warn' },
  });
  assert.equal(used.status, 200);
});

test('only an owner promotes or demotes owners', async () => {
  const { game_id, owner, admin, viewer } = await makeTeam();
  for (const [member, role] of [
    [viewer, 'owner'],
    [admin, 'owner'],
    [owner, 'admin'],
  ] as const) {
    const refused = await setRole(game_id, admin, member, role);
    assert.equal(refused.status, 403);
    assert.deepEqual(refused.body, {
      error: 'This needs the role owner; yours in this game is admin',
    });
  }
  assert.equal((await setRole(game_id, owner, viewer, 'owner')).status, 200);
  assert.equal((await setRole(game_id, viewer, owner, 'viewer')).status, 200);
  const roles = await listRoles(game_id);
  assert.deepEqual([roles[owner.account_id], roles[viewer.account_id]], ['viewer', 'owner']);
});

test('PATCH and DELETE answer 403 to developers and viewers, and 404 for an unknown member', async () => {
  const { game_id, admin, developer, viewer } = await makeTeam();
  for (const by of [developer, viewer]) {
    assert.equal((await setRole(game_id, by, viewer, 'admin')).status, 403);
    assert.equal((await remove(game_id, by, admin)).status, 403);
  }
  const stranger = await server.makeAccount();
  for (const nobody of [{ account_id: NOBODY }, stranger]) {
    const unknown = await setRole(game_id, admin, nobody, 'viewer');
    assert.equal(unknown.status, 404);
    assert.deepEqual(unknown.body, { error: 'Member not found' });
    assert.equal((await remove(game_id, admin, nobody)).status, 404);
    // The role is checked first, so a viewer does not learn whether the other member exists.
    assert.equal((await remove(game_id, viewer, nobody)).status, 403);
    assert.equal((await setRole(game_id, admin, nobody, 'owner')).status, 403);
  }
});

test('every member may leave, an admin may remove others, and an owner may also remove owners', async () => {
  const { game_id, owner, admin, developer, viewer } = await makeTeam();
  const second = await server.makeAccount({ game_id, role: 'owner' });
  assert.equal((await remove(game_id, viewer, viewer)).status, 204);
  const gone = await server.request('GET', `/v1/games/${game_id}`, { token: viewer.token });
  assert.equal(gone.status, 404);
  assert.equal((await remove(game_id, admin, second)).status, 403);
  assert.equal((await remove(game_id, admin, developer)).status, 204);
  assert.equal((await remove(game_id, owner, second)).status, 204);
  assert.deepEqual(await listRoles(game_id), {
    [owner.account_id]: 'owner',
    [admin.account_id]: 'admin',
  });
});

test('the last owner can neither leave nor be demoted or removed, not even by an administrator', async () => {
  const { game_id, owner } = await makeTeam();
  const administrator = await server.makeAccount({ is_administrator: true });
  for (const by of [owner, administrator]) {
    for (const answer of [
      await setRole(game_id, by, owner, 'admin'),
      await remove(game_id, by, owner),
    ]) {
      assert.equal(answer.status, 409);
      assert.deepEqual(answer.body, LAST_OWNER);
    }
  }
  assert.equal((await setRole(game_id, owner, owner, 'owner')).status, 200, 'nothing to change');
  assert.equal((await listRoles(game_id))[owner.account_id], 'owner');
});

test('20 parallel demotions of two owners leave one owner', async () => {
  for (let round = 0; round < 3; round++) {
    const { game_id, owner } = await makeTeam();
    const second = await server.makeAccount({ game_id, role: 'owner' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? setRole(game_id, owner, second, 'viewer')
          : setRole(game_id, second, owner, 'viewer'),
      ),
    );
    const owners = Object.values(await listRoles(game_id)).filter((role) => role === 'owner');
    assert.equal(owners.length, 1);
    for (const { status, text } of answers) assert.ok([200, 403, 409].includes(status), text);
  }
});

test('20 parallel departures of three owners leave one owner', async () => {
  const { game_id, owner } = await makeTeam();
  const owners = [
    owner,
    await server.makeAccount({ game_id, role: 'owner' }),
    await server.makeAccount({ game_id, role: 'owner' }),
  ];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const leaving = owners[index % owners.length]!;
      return remove(game_id, leaving, leaving);
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 204).length, 2);
  const left = Object.values(await listRoles(game_id)).filter((role) => role === 'owner');
  assert.equal(left.length, 1);
});

test('an owner who was just demoted cannot make owners', async () => {
  for (let round = 0; round < 5; round++) {
    const { game_id, owner, viewer } = await makeTeam();
    const second = await server.makeAccount({ game_id, role: 'owner' });
    const [, promotion] = await Promise.all([
      setRole(game_id, owner, second, 'viewer'),
      setRole(game_id, second, viewer, 'owner'),
    ]);
    const roles = await listRoles(game_id);
    assert.equal(roles[second.account_id], 'viewer');
    assert.equal(roles[viewer.account_id] === 'owner', promotion.status === 200);
  }
});

test('the audit log lists changes of members with the old and the new role', async () => {
  const { game_id, owner, admin, viewer } = await makeTeam();
  await setRole(game_id, owner, viewer, 'developer');
  await remove(game_id, owner, viewer);
  await remove(game_id, admin, admin);
  const { body } = await server.request('GET', `/v1/games/${game_id}/audit-log`, {
    token: owner.token,
  });
  assert.deepEqual(
    body.audit_log.map((entry: Record<string, unknown>) => [
      entry.account_email,
      entry.action,
      entry.target,
      entry.details,
    ]),
    [
      [admin.email, 'leave_game', admin.email, { account_id: admin.account_id, role: 'admin' }],
      [
        owner.email,
        'remove_member',
        viewer.email,
        { account_id: viewer.account_id, role: 'developer' },
      ],
      [
        owner.email,
        'update_member',
        viewer.email,
        { account_id: viewer.account_id, from: 'viewer', to: 'developer' },
      ],
    ],
  );
});
