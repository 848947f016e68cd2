import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIERS } from '@overworld/contract/tiers';
import type { JWTPayload } from 'jose';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { readToken } from '../../../test/mailbox.ts';
import { sql } from '../../platform/database/sql.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { openStaffScene, person } from './test/staff-scene.ts';
import type { StaffScene } from './test/staff-scene.ts';

let plain: TestServer;
let scene: StaffScene;
let game_id: string;
const lines: string[] = [];
before(async () => {
  plain = await startTestServer();
  ({ game_id } = await plain.makeGame());
  const roles = `artists=viewer@${game_id};leads=admin@${game_id}`;
  const { database_url } = plain;
  const log = { write: (line: string) => lines.push(line) };
  scene = await openStaffScene({ OIDC_ROLES: roles }, { database_url, log });
});
after(async () => {
  await scene[Symbol.asyncDispose]();
  await plain.close();
});

async function rolesAfter(claims: JWTPayload): Promise<string[]> {
  const { body, text } = await scene.logIn(claims);
  const me = await scene.server.request('GET', '/v1/auth/me', { token: body.token });
  assert.equal(me.status, 200, text);
  return me.body.memberships.map(({ role }: { role: string }) => role);
}

test('roles follow the groups, and the last owner stays', async () => {
  const mira = person();
  const roles = (groups: unknown) => rolesAfter({ ...mira, groups });
  assert.deepEqual(await roles(['artists', 'leads']), ['admin']);
  assert.deepEqual(await roles(['artists']), ['viewer']);
  assert.deepEqual(await roles([]), []);
  assert.deepEqual(await roles('artists'), ['viewer']);
  await scene.server.database.execute(
    sql`UPDATE game_members SET role = 'owner' WHERE game_id = ${game_id}`,
  );
  assert.deepEqual(await roles([]), ['owner']);
});

test('a role that was given by hand stays, whatever the groups say', async () => {
  const mira = person();
  await rolesAfter(mira);
  await scene.server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    SELECT ${game_id}, id, 'developer' FROM accounts WHERE email = ${mira.email}`);
  assert.deepEqual(await rolesAfter({ ...mira, groups: ['leads'] }), ['developer']);
  assert.deepEqual(await rolesAfter(mira), ['developer']);
});

test('an absent claim takes the roles, and a claim that is absent for its size refuses the login', async () => {
  const mira = person();
  const groups = ['artists'];
  assert.deepEqual(await rolesAfter({ ...mira, groups }), ['viewer']);
  for (const overage of [
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
    { hasgroups: true },
  ]) {
    const refused = await scene.logIn({ ...mira, ...overage });
    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.body.error, /leaves out your groups because they are too many/);
  }
  const members = await scene.server.database.query(sql`
    SELECT role FROM game_members JOIN accounts ON accounts.id = account_id
    WHERE email = ${mira.email}`);
  assert.deepEqual(members, [{ role: 'viewer' }]);
  assert.deepEqual(await rolesAfter(mira), []);
});

test('groups of another claim, and of the UserInfo endpoint, count', async () => {
  const settings = { OIDC_ROLES: `/studio/artists=viewer@${game_id}`, OIDC_GROUPS_CLAIM: 'teams' };
  await using other = await openStaffScene(settings, { database_url: plain.database_url });
  const mira = person();
  other.issuer.giveUserInfo({ sub: mira.sub, teams: ['/studio/artists'] });
  const { body } = await other.logIn(mira);
  const me = await other.server.request('GET', '/v1/auth/me', { token: body.token });
  assert.equal(me.body.memberships[0]?.role, 'viewer');
});

test('a member by hand logs in while somebody else changes the game', async () => {
  const mira = person();
  await rolesAfter(mira);
  const { database } = scene.server;
  await database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    SELECT ${game_id}, id, 'developer' FROM accounts WHERE email = ${mira.email}`);
  await database.ofGame(game_id).transaction(async (tx) => {
    await lockGame(tx, game_id);
    const login = scene.logIn({ ...mira, groups: ['leads'] }).then(({ status }) => status);
    const waits = sleep(20_000, 'the login waits for the game', { ref: false });
    assert.equal(await Promise.race([login, waits]), 200);
  });
});

test('an accepted invitation keeps a role that a group gave', async () => {
  const { server } = scene;
  const owner = await server.makeAccount({ game_id });
  const mira = person();
  const sent = await server.request('POST', `/v1/games/${game_id}/invitations`, {
    token: owner.token,
    body: { email: mira.email, role: 'developer' },
  });
  assert.equal(sent.status, 201, sent.text);
  const shown = await server.request(
    'POST',
    `/v1/games/${game_id}/invitations/${sent.body.id}/link`,
    { token: owner.token },
  );
  const invitation = readToken(new URL(shown.body.link));
  const { token } = (await scene.logIn({ ...mira, groups: ['artists'] })).body;
  const path = `/v1/invitations/${invitation}/accept`;
  const accepted = await server.request('POST', path, { token, body: {} });
  assert.equal(accepted.body.role, 'viewer', accepted.text);
  assert.deepEqual(await rolesAfter(mira), ['viewer']);
});

test('a game that has all its members gets no more by groups, and the log says so', async () => {
  const { server } = scene;
  const { game_id: full } = await server.makeGame();
  const OIDC_ROLES = `artists=viewer@${full}`;
  const { database_url } = server;
  const log = { write: (line: string) => lines.push(line) };
  await using other = await openStaffScene({ OIDC_ROLES }, { database_url, log });
  const limits = TIERS.free.limits;
  await server.database.execute(sql`
    WITH made AS (
      INSERT INTO accounts (email, password_hash, status)
      SELECT 'member-' || number || '@studio.example', 'x', 'active'
      FROM generate_series(1, ${limits.members}::integer) AS number
      RETURNING id
    )
    INSERT INTO game_members (game_id, account_id, role) SELECT ${full}, id, 'viewer' FROM made`);
  const mira = person();
  const entered = await other.logIn({ ...mira, groups: ['artists'] });
  assert.equal(entered.status, 200, entered.text);
  const me = await server.request('GET', '/v1/auth/me', { token: entered.body.token });
  assert.deepEqual(me.body.memberships, []);
  const warned = lines.filter((line) => line.includes(`${mira.email} gets no role by a group`));
  assert.equal(warned.length, 1, lines.join());
  assert.ok(warned[0]!.includes(full));
});
