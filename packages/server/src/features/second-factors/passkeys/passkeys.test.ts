import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from '../../../platform/database/sql.ts';
import { createAttested } from '../test/attested.ts';
import { makeAuthenticator } from '../test/authenticator.ts';
import { openFactorStage } from '../test/factor-calls.ts';
import type { FactorStage } from '../test/factor-calls.ts';

let stage: FactorStage;
before(async () => {
  stage = await openFactorStage();
});
after(() => stage.server.close());

const beginLogin = async (account: Parameters<FactorStage['logIn']>[0]) =>
  (await stage.logIn(account)).body;

test('a passkey passes the second step of a login, and each of its answers is valid for only one login', async () => {
  const account = await stage.server.makeAccount();
  const authenticator = await stage.addPasskey(account);
  const asked = await beginLogin(account);
  assert.deepEqual(asked.methods, ['passkey', 'recovery_code']);
  assert.equal(asked.passkey_options.rpId, 'localhost');
  assert.equal(asked.passkey_options.challenge, asked.challenge);
  const { challenge } = asked;
  const passkey = authenticator.get(asked.passkey_options);
  const done = await stage.finish({ challenge, passkey });
  assert.equal(done.status, 200, done.text);
  const replayed = await stage.finish({ challenge, passkey });
  assert.equal(replayed.body.code, 'SECOND_FACTOR_EXPIRED');
  const elsewhere = await stage.finish({ challenge: await stage.challenge(account), passkey });
  assert.equal(elsewhere.body.code, 'SECOND_FACTOR_WRONG');
});

test('of several concurrent logins with the same answer of a passkey, exactly one succeeds', async () => {
  const account = await stage.server.makeAccount();
  const authenticator = await stage.addPasskey(account);
  const { challenge, passkey_options } = await beginLogin(account);
  const passkey = authenticator.get(passkey_options);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => stage.finish({ challenge, passkey })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('a copied passkey, whose count of signatures does not rise, is refused', async () => {
  const account = await stage.server.makeAccount();
  const authenticator = await stage.addPasskey(account);
  const logInBy = async () => {
    const { challenge, passkey_options } = await beginLogin(account);
    return stage.finish({ challenge, passkey: authenticator.get(passkey_options) });
  };
  assert.equal((await logInBy()).status, 200);
  assert.equal((await logInBy()).status, 200);
  authenticator.sign_count = 1;
  assert.equal((await logInBy()).status, 401);
});

test('an answer of a passkey for another origin, account or login is refused', async () => {
  const account = await stage.server.makeAccount();
  const stranger = await stage.server.makeAccount();
  const authenticator = await stage.addPasskey(account);
  const strangers = await stage.addPasskey(stranger);
  const unknown = makeAuthenticator(stage.origin);
  const { challenge, passkey_options: options } = await beginLogin(account);
  const phished = authenticator.get(options, { origin: 'http://localhost:1' });
  const foreign = authenticator.get(options, { challenge: await stage.challenge(account) });
  for (const passkey of [
    phished,
    foreign,
    strangers.get(options),
    { ...unknown.get(options), id: authenticator.id, rawId: authenticator.id },
  ]) {
    const { status, body } = await stage.finish({ challenge, passkey });
    assert.equal(status, 401);
    assert.equal(body.code, 'SECOND_FACTOR_WRONG');
  }
  const { status } = await stage.finish({ challenge, passkey: authenticator.get(options) });
  assert.equal(status, 200);
});

test('an invalid answer of a passkey is refused with a readable error', async () => {
  const account = await stage.server.makeAccount();
  await stage.setUpTotp(account);
  await stage.addPasskey(account);
  const whole = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} };
  for (const response of [{}, { clientDataJSON: 'e30' }, { clientDataJSON: 7 }]) {
    const challenge = await stage.challenge(account);
    const passkey = { ...whole, response };
    assert.equal((await stage.finish({ challenge, passkey })).status, 401);
    const begun = await stage.change(account, '/passkeys/options');
    const added = await stage.change(account, '/passkeys', {
      challenge: begun.body.challenge,
      name: 'x',
      credential: passkey,
    });
    assert.equal(added.status, 400);
    assert.match(added.body.error, /^credential/);
  }
});

test('a passkey with certificates is refused, and no URL in the certificates gets a request', async () => {
  const account = await stage.server.makeAccount();
  let asked = 0;
  const other = createServer((_request, response) => {
    asked++;
    response.end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const { body } = await stage.change(account, '/passkeys/options');
  const url = `http://127.0.0.1:${port}/`;
  const added = await stage.change(account, '/passkeys', {
    challenge: body.challenge,
    name: 'Key',
    credential: await createAttested(body.options, stage.origin, url),
  });
  other.close();
  assert.equal(added.status, 400);
  assert.match(added.body.error, /^credential/);
  assert.equal(asked, 0);
});

test('on a page at an IP address, passkeys are not offered, and the other methods work', async () => {
  const account = await stage.server.makeAccount();
  const { app } = await stage.setUpTotp(account);
  await stage.addPasskey(account);
  const origin = stage.server.url;
  const asked = await stage.server.request('POST', '/v1/auth/login', {
    body: { email: account.email, password: account.password },
    headers: { origin },
  });
  assert.deepEqual(asked.body.methods, ['totp', 'recovery_code']);
  assert.equal(asked.body.passkey_options, undefined);
  const { challenge } = asked.body;
  assert.equal((await stage.finish({ challenge, code: app.code() })).status, 200);
  const refused = await stage.server.request('POST', '/v1/auth/second-factors/passkeys/options', {
    token: account.token,
    body: { password: account.password },
    headers: { origin },
  });
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /https, or localhost/);
});

test('only the owner of a passkey can rename it, and removing it needs the password', async () => {
  const account = await stage.server.makeAccount();
  const stranger = await stage.server.makeAccount();
  await stage.addPasskey(account, 'Old laptop');
  await stage.addPasskey(account, 'Phone');
  const list = async () => {
    const path = '/v1/auth/second-factors';
    const { body } = await stage.server.request('GET', path, { token: account.token });
    return body.passkeys;
  };
  const [first, second] = await list();
  const path = `/v1/auth/second-factors/passkeys/${first.id}`;
  const rename = (token: string) =>
    stage.server.request('PATCH', path, { token, body: { name: 'New laptop' } });
  assert.equal((await rename(stranger.token)).status, 404);
  assert.equal((await rename(account.token)).body.name, 'New laptop');
  const remove = (who: typeof account, password = who.password) =>
    stage.change(who, `/passkeys/${first.id}/remove`, { password });
  assert.equal((await remove(stranger)).status, 404);
  assert.equal((await remove(account, 'not it')).status, 400);
  assert.deepEqual(
    (await list()).map(({ name }: { name: string }) => name),
    ['New laptop', 'Phone'],
  );
  assert.equal((await remove(account)).status, 204);
  assert.equal((await stage.logIn(account)).status, 401);
  assert.equal((await stage.change(account, `/passkeys/${second.id}/remove`)).status, 204);
  assert.equal((await stage.logIn(account)).status, 200);
});

test('an account has at most 20 passkeys, even after concurrent requests', async () => {
  const account = await stage.server.makeAccount();
  await stage.addPasskey(account);
  await stage.server.database.execute(sql`
    INSERT INTO passkeys (account_id, name, rp_id, credential_id, public_key, sign_count, transports)
    SELECT ${account.account_id}, 'x', 'localhost', ${account.account_id} || n, '', 0, '{}'
    FROM generate_series(2, 18) AS n`);
  const begun = await Promise.all([1, 2, 3].map(() => stage.change(account, '/passkeys/options')));
  const added = await Promise.all(
    begun.map(({ body }) =>
      stage.change(account, '/passkeys', {
        challenge: body.challenge,
        name: 'x',
        credential: makeAuthenticator(stage.origin).create(body.options),
      }),
    ),
  );
  assert.deepEqual(added.map(({ status }) => status).sort(), [201, 201, 409]);
  assert.equal((await stage.change(account, '/passkeys/options')).status, 409);
});
