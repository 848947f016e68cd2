import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { keepIdentity, readKeptIdentity } from './kept-identity.ts';
import { openStaffScene, person } from './test/staff-scene.ts';

const game_id = '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42';
const rolesOf = (groups: readonly string[]) =>
  groups.map((group) => ({ group, role: 'viewer' as const, game_id }));

test('an identity keeps exactly its groups, and is of no use with other settings', () => {
  const names = Array.from({ length: 20 }, (_, number) => `group ${number}`);
  const settings = { issuer: 'https://id.example', group_roles: rolesOf([...names, 'group 3']) };
  for (const groups of [[], names, ['group 0'], ['group 7', 'group 8', 'group 19']]) {
    const identity = { issuer: settings.issuer, subject: 'mira', groups };
    const kept = keepIdentity(identity, settings);
    assert.deepEqual(readKeptIdentity(kept, settings), identity);
    assert.equal(
      readKeptIdentity(kept, { ...settings, group_roles: rolesOf(names.slice(1)) }),
      null,
    );
    assert.equal(readKeptIdentity(kept, { ...settings, issuer: 'https://other.example' }), null);
  }
});

test('an account is joined by an identity with hundreds of groups of long names', async () => {
  await using plain = await startTestServer();
  const owner = await plain.makeAccount();
  const made = await plain.makeGame();
  const groups = Array.from(
    { length: 600 },
    (_, number) => `cn=${number},${'ou=studio,'.repeat(12)}`,
  );
  const OIDC_ROLES = groups.map((group) => `${group}=viewer@${made.game_id}`).join(';');
  await using scene = await openStaffScene({ OIDC_ROLES }, { database_url: plain.database_url });
  const mira = { ...person(), email: owner.email, groups };
  const { challenge } = (await scene.logIn(mira)).body;
  const { password } = owner;
  const joined = await scene.server.request('POST', '/v1/auth/identity/link', {
    body: { challenge, password },
  });
  assert.equal(joined.status, 200, joined.text);
  const me = await scene.server.request('GET', '/v1/auth/me', { token: joined.body.token });
  assert.equal(me.body.memberships[0]?.role, 'viewer');
});
