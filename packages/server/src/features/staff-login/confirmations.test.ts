import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { now_s, openStaffScene, person } from './test/staff-scene.ts';
import type { StaffScene } from './test/staff-scene.ts';

let scene: StaffScene;
before(async () => {
  scene = await openStaffScene();
});
after(() => scene[Symbol.asyncDispose]());

test('a fresh login at the provider confirms an access token in place of a password', async () => {
  const { server, logIn, confirm } = scene;
  const mira = person();
  const { token } = (await logIn(mira)).body;
  const made = await server.request('POST', '/v1/games', { token, body: { name: 'Mine' } });
  const game_ids = [made.body.id ?? made.body.game?.id];
  for (const [claims, words] of [
    [{ ...person(), auth_time: now_s() }, /not the identity of your account/],
    [mira, /does not say when/],
    [{ ...mira, auth_time: now_s() - 400 }, /did not ask for your credentials again/],
  ] as const) {
    const refused = await confirm(token, claims);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.body.error, words);
  }
  const { confirmation } = (await confirm(token, { ...mira, auth_time: now_s() })).body;
  const make = (asker: string, body: object) =>
    server.request('POST', '/v1/access-tokens', {
      token: asker,
      body: { name: 'Build', role: 'viewer', game_ids, ...body },
    });
  const other = (await logIn(mira)).body.token;
  assert.equal((await make(other, { confirmation })).status, 400);
  assert.equal((await make(token, { confirmation: confirmation.slice(1) })).status, 400);
  assert.equal((await make(token, { confirmation, password: 'x' })).status, 400);
  assert.equal((await make(token, {})).body.error, 'password is required');
  const done = await make(token, { confirmation });
  assert.equal(done.status, 201, done.text);
});

test('an account without a password changes its second factors after a fresh login', async () => {
  const { server, logIn, confirm, addTotp } = scene;
  const mira = person();
  const { token } = (await logIn(mira)).body;
  const post = (path: string, body: object) =>
    server.request('POST', `/v1/auth/second-factors/${path}`, { token, body });
  const { confirmation } = (await confirm(token, { ...mira, auth_time: now_s() })).body;
  assert.equal((await post('totp', { confirmation: `${confirmation.slice(4)}` })).status, 400);
  await addTotp(token, mira);
  const codes = await post('recovery-codes', { confirmation });
  assert.equal(codes.status, 200, codes.text);
  assert.equal((await post('totp/remove', {})).body.error, 'password is required');
  assert.equal((await post('totp/remove', { confirmation })).status, 204);
});
