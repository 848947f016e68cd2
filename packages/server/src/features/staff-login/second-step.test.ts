import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callCli } from '../../../test/run-cli.ts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { openStaffScene, person } from './test/staff-scene.ts';
import type { StaffScene } from './test/staff-scene.ts';

let plain: TestServer;
let scene: StaffScene;
let game_id: string;
before(async () => {
  plain = await startTestServer();
  ({ game_id } = await plain.makeGame());
  const { database_url } = plain;
  scene = await openStaffScene({ OIDC_ROLES: `artists=viewer@${game_id}` }, { database_url });
});
after(async () => {
  await scene[Symbol.asyncDispose]();
  await plain.close();
});

const link = (body: object) => scene.server.request('POST', '/v1/auth/identity/link', { body });

/** Makes an account with a password, an authenticator app, and the address of a person. */
async function register(email: string) {
  const account = await scene.server.makeAccount();
  await scene.server.database.execute(sql`
    UPDATE accounts SET email = ${email} WHERE id = ${account.account_id}`);
  const { token, password } = account;
  return { ...account, app: await scene.addTotpWith(token, { password }) };
}

/** Lists what an account has got by identities: their subjects, and its roles. */
async function listGot(account_id: string) {
  const { database } = scene.server;
  const identities = await database.query<{ subject: string }>(sql`
    SELECT subject FROM account_identities WHERE account_id = ${account_id}`);
  const members = await database.query<{ role: string }>(sql`
    SELECT role FROM game_members WHERE account_id = ${account_id}`);
  return [...identities.map(({ subject }) => subject), ...members.map(({ role }) => role)];
}

test('the second step follows a login at the provider', async () => {
  const { logIn, addTotp, takeSecondStep } = scene;
  const mira = person();
  const app = await addTotp((await logIn(mira)).body.token, mira);
  const asked = await logIn(mira);
  assert.deepEqual([asked.status, asked.body.code], [401, 'SECOND_FACTOR_REQUIRED']);
  assert.equal(asked.body.token, undefined);
  const finished = await takeSecondStep(asked.body.challenge, app);
  assert.equal(finished.status, 200, finished.text);
});

test('an account with a second factor is joined, and gets roles, only after the second step', async () => {
  const { logIn, takeSecondStep } = scene;
  const mira = { ...person(), groups: ['artists'] };
  const { account_id, password, app } = await register(mira.email);

  // Somebody who has got hold of the password, and an identity with the address.
  const thief = { ...mira, sub: person().sub };
  const stolen = (await logIn(thief)).body.challenge;
  const stopped = await link({ challenge: stolen, password });
  assert.deepEqual([stopped.status, stopped.body.code], [401, 'SECOND_FACTOR_REQUIRED']);
  assert.deepEqual(await listGot(account_id), []);

  const { challenge } = (await logIn(mira)).body;
  const asked = await link({ challenge, password });
  assert.deepEqual([asked.status, asked.body.code], [401, 'SECOND_FACTOR_REQUIRED']);
  const joined = await takeSecondStep(asked.body.challenge, app);
  assert.equal(joined.body.user?.id, account_id, joined.text);
  assert.deepEqual(await listGot(account_id), [mira.sub, 'viewer']);

  // The account has an identity now, so the password of the other one leads nowhere.
  assert.equal((await link({ challenge: stolen, password })).status, 409);
});

test('a second step joins no account that was joined meanwhile', async () => {
  const { logIn, takeSecondStep } = scene;
  const [mira, other] = [person(), person()];
  const { account_id, password, app } = await register(mira.email);
  const { challenge } = (await logIn(mira)).body;
  const asked = await link({ challenge, password });
  await scene.server.database.execute(sql`
    INSERT INTO account_identities (issuer, subject, account_id)
    VALUES (${scene.issuer.url}, ${other.sub}, ${account_id})`);
  const refused = await takeSecondStep(asked.body.challenge, app);
  assert.deepEqual([refused.status, refused.body.token], [409, undefined], refused.text);
  assert.deepEqual(await listGot(account_id), [other.sub]);
});

test('an account without a password that has kept its second factor is joined only after the second step', async () => {
  const { server, logIn, addTotp, takeSecondStep } = scene;
  const leaver = person();
  const { token, user } = (await logIn(leaver)).body;
  const app = await addTotp(token, leaver);
  const env = { DATABASE_URL: server.database_url };
  assert.equal((await callCli(['forget-identity', leaver.email], env)).code, 0);
  const mira = { ...person(), email: leaver.email };
  const asked = await logIn(mira);
  assert.deepEqual([asked.status, asked.body.code], [401, 'SECOND_FACTOR_REQUIRED']);
  assert.deepEqual(await listGot(user.id), []);
  const joined = await takeSecondStep(asked.body.challenge, app);
  assert.equal(joined.body.user?.id, user.id, joined.text);
  assert.deepEqual(await listGot(user.id), [mira.sub]);
});

test('a second step that waited while the groups of the settings were changed begins again', async () => {
  const { server, logIn, issuer, takeSecondStep } = scene;
  const mira = person();
  const { account_id, password, app } = await register(mira.email);
  const { challenge } = (await logIn(mira)).body;
  const asked = await link({ challenge, password });
  const restarted = await startTestServer({
    database_url: server.database_url,
    env: { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'overworld', OIDC_DOMAINS: '*' },
  });
  try {
    const code = app.generate({ timestamp: Date.now() + 30_000 });
    const body = { challenge: asked.body.challenge, code };
    const late = await restarted.request('POST', '/v1/auth/login/second-factor', { body });
    assert.deepEqual([late.status, late.body.code], [401, 'SECOND_FACTOR_EXPIRED'], late.text);
  } finally {
    await restarted.close();
  }
  assert.deepEqual(await listGot(account_id), []);
  assert.equal((await takeSecondStep(asked.body.challenge, app)).status, 200);
});
