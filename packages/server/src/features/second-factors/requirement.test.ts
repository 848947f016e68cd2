import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SecondFactorRequirement } from '@overworld/contract/administration/settings';
import { OPERATIONS } from '@overworld/contract/operations';
import type { TestAccount } from '../../../test/test-account.ts';
import { waitForMail } from '../../../test/mailbox.ts';
import { samplePath } from '../../../test/sample-request.ts';
import { openFactorStage } from './test/factor-calls.ts';
import type { FactorStage } from './test/factor-calls.ts';

let stage: FactorStage;
let administrator: TestAccount;
before(async () => {
  stage = await openFactorStage();
  administrator = await stage.server.makeAccount({ is_administrator: true });
});
after(() => stage.server.close());

const require = (require_second_factor: SecondFactorRequirement) =>
  stage.server.request('PUT', '/v1/admin/settings', {
    token: administrator.token,
    body: { require_second_factor },
  });

test('an administrator without a second factor cannot make second factors mandatory', async () => {
  assert.equal((await require('everybody')).status, 409);
  assert.equal((await require('off')).status, 200);
  await stage.setUpTotp(administrator);
  const { status, body } = await require('administrators');
  assert.equal(status, 200);
  assert.deepEqual(body, { require_second_factor: 'administrators' });
  const read = await stage.server.request('GET', '/v1/admin/settings', {
    token: administrator.token,
  });
  assert.deepEqual(read.body, body);
});

test('an account that lacks a mandatory second factor can use only the operations on its own account', async () => {
  await require('everybody');
  const { game_id } = await stage.server.makeGame();
  const account = await stage.server.makeAccount({ game_id });
  const isRefused = (body: { code?: string }) => body?.code === 'SECOND_FACTOR_SETUP_REQUIRED';
  for (const operation of OPERATIONS) {
    const { access, method, path } = operation;
    if (['anyone', 'key', 'server_key'].includes(access) || method !== 'GET') continue;
    const { token } = access === 'administrator' ? administrator : account;
    const answer = await stage.server.request(method, samplePath(operation, { game_id }), {
      token,
    });
    const expected = access !== 'administrator' && !path.startsWith('/v1/auth/');
    assert.equal(isRefused(answer.body), expected, `${operation.id}: ${answer.text}`);
  }
  const made = await stage.server.request('POST', '/v1/games', {
    token: account.token,
    body: { name: 'A game' },
  });
  assert.ok(isRefused(made.body));
  assert.match(made.body.error, /set up a second factor/);
  const login = await stage.logIn(account);
  assert.equal(login.status, 200);
  const read = async (path: string) =>
    (await stage.server.request('GET', path, { token: login.body.token })).body;
  assert.equal((await read('/v1/auth/me')).must_set_up_second_factor, true);
  assert.equal((await read('/v1/auth/second-factors')).is_required, true);
  await stage.setUpTotp({ ...account, token: login.body.token });
  assert.equal((await read('/v1/auth/me')).must_set_up_second_factor, false);
  assert.equal((await read('/v1/games')).games.length, 1);
  await require('off');
});

test('a requirement for administrators does not affect other accounts', async () => {
  await require('administrators');
  const other = await stage.server.makeAccount({ is_administrator: true });
  const member = await stage.server.makeAccount();
  const status = async ({ token }: TestAccount) =>
    (await stage.server.request('GET', '/v1/games', { token })).status;
  assert.equal(await status(other), 403);
  assert.equal(await status(member), 200);
  await require('off');
  assert.equal(await status(other), 200);
});

test('administrators can remove the factors of others, who get a mail, but not their own', async () => {
  const account = await stage.server.makeAccount();
  await stage.setUpTotp(account);
  await stage.addPasskey(account);
  const reset = (id: string) =>
    stage.server.request('POST', `/v1/admin/users/${id}/reset-second-factors`, {
      token: administrator.token,
    });
  const list = async () => {
    const path = `/v1/admin/users?search=${account.email}`;
    const { body } = await stage.server.request('GET', path, { token: administrator.token });
    return body.users[0].has_second_factor;
  };
  assert.equal(await list(), true);
  assert.equal((await reset(account.account_id)).status, 204);
  assert.equal(await list(), false);
  assert.equal((await stage.logIn(account)).status, 200);
  const mail = await waitForMail(stage.server.data_dir, account.email, 3);
  assert.match(mail.text!, /administrator has removed/);
  assert.equal((await reset(administrator.account_id)).status, 409);
  assert.equal((await reset(administrator.account_id.toUpperCase())).status, 409);
  assert.equal((await reset('nobody')).status, 404);
});
