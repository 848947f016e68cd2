import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { JWTPayload } from 'jose';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { SignJWT } from 'jose/jwt/sign';
import { UnsecuredJWT } from 'jose/jwt/unsecured';
import { MAX_IDENTITY_LOGINS_PER_MINUTE } from '@overworld/contract/accounts/limits';
import { startTestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { CLIENT } from './test/forging-issuer.ts';
import { openStaffScene, person } from './test/staff-scene.ts';
import type { StaffScene } from './test/staff-scene.ts';

let scene: StaffScene;
before(async () => {
  scene = await openStaffScene();
});
after(() => scene[Symbol.asyncDispose]());

test('a login makes an account once, and finds it by its subject after its address has changed', async () => {
  const { server, logIn } = scene;
  const mira = person();
  const first = await logIn(mira);
  assert.equal(first.status, 200, first.text);
  const again = await logIn({ ...mira, email: 'renamed@studio.example' });
  assert.deepEqual(again.body.user, first.body.user);
  const me = await server.request('GET', '/v1/auth/me', { token: again.body.token });
  assert.equal(me.body.has_password, false);
});

test('the code is exchanged with the verifier of the challenge that the provider got', async () => {
  const { begin, finish, issuer } = scene;
  const { cookie, state, nonce, url } = await begin();
  const asked = url.searchParams;
  assert.equal(asked.get('code_challenge_method'), 'S256');
  issuer.answerWith(await issuer.sign({ nonce, ...person() }));
  assert.equal((await finish({ state, code: 'of this login' }, cookie)).status, 200);
  const { form, authorization } = issuer.exchanges.at(-1)!;
  assert.equal(
    hash('sha256', form.get('code_verifier')!, 'base64url'),
    asked.get('code_challenge'),
  );
  assert.equal(form.get('code'), 'of this login');
  assert.equal(form.get('redirect_uri'), asked.get('redirect_uri'));
  // This client has no secret.
  assert.deepEqual([authorization, form.get('client_secret')], [undefined, null]);
  const secrets = [asked.get('state'), asked.get('nonce'), form.get('code_verifier')];
  assert.equal(new Set(secrets).size, 3);
});

test('hostile tokens are refused', async () => {
  const { issuer, begin, finish } = scene;
  const { privateKey } = await generateKeyPair('ES256');
  const now = Math.floor(Date.now() / 1000);
  const plain = (nonce: string) => ({
    iss: issuer.url,
    aud: CLIENT,
    sub: 'mira',
    iat: now,
    exp: now + 300,
    nonce,
    email: 'mira@studio.example',
    email_verified: true,
  });
  const shared = new TextEncoder().encode(JSON.stringify(issuer.publicKey).padEnd(32, '.'));
  const forged: [string, (nonce: string) => string | Promise<string>][] = [
    ['no algorithm', (nonce) => new UnsecuredJWT(plain(nonce)).encode()],
    [
      'a shared secret',
      (nonce) =>
        new SignJWT(plain(nonce)).setProtectedHeader({ alg: 'HS256', kid: 'key' }).sign(shared),
    ],
    ['a foreign key', (nonce) => issuer.sign(plain(nonce), privateKey)],
    ['another issuer', (nonce) => issuer.sign({ ...plain(nonce), iss: `${issuer.url}/` })],
    ['another audience', (nonce) => issuer.sign({ ...plain(nonce), aud: 'other' })],
    ['another azp', (nonce) => issuer.sign({ ...plain(nonce), azp: 'other' })],
    ['two audiences without azp', (nonce) => issuer.sign({ ...plain(nonce), aud: [CLIENT, 'b'] })],
    ['another nonce', (nonce) => issuer.sign({ ...plain(nonce), nonce: 'other' })],
    ['no nonce', (nonce) => issuer.sign({ ...plain(nonce), nonce: undefined })],
    ['an expired token', (nonce) => issuer.sign({ ...plain(nonce), exp: now - 61 })],
    ['no subject', (nonce) => issuer.sign({ ...plain(nonce), sub: undefined })],
  ];
  for (const [name, forge] of forged) {
    const { cookie, state, nonce } = await begin();
    issuer.answerWith(await forge(nonce));
    const refused = await finish({ state }, cookie);
    assert.equal(refused.status, 401, `${name}: ${refused.text}`);
    if (name === 'another audience') {
      assert.equal(refused.body.error, 'This ID token is of another issuer or for another client');
    }
  }
});

test('a login is refused in another browser, with another state, and for another issuer', async () => {
  const { issuer, begin, finish } = scene;
  const mine = await begin();
  const other = await begin();
  issuer.answerWith(await issuer.sign({ nonce: mine.nonce, ...person() }));
  for (const [body, cookie] of [
    [{ state: mine.state }, other.cookie],
    [{ state: mine.state }, ''],
    [{ state: 'x' }, mine.cookie],
    [{ state: mine.state, iss: 'https://elsewhere.example' }, mine.cookie],
  ] as const) {
    assert.equal((await finish(body, cookie)).status, 401);
  }
});

test('the end of a login removes its cookie, and no cookie of another login', async () => {
  const { issuer, begin, finish, logIn } = scene;
  const cookiesOf = ({ headers }: { headers: Headers }) =>
    headers
      .getSetCookie()
      .filter((cookie) => cookie.startsWith('overworld_identity='))
      .map((cookie) => /^overworld_identity=; .*Max-Age=0/.test(cookie));
  assert.deepEqual(cookiesOf(await logIn(person())), [true]);
  const refused = await logIn({ ...person(), email_verified: false });
  assert.deepEqual([refused.status, cookiesOf(refused)], [403, [true]]);

  const [mine, other] = [await begin(), await begin()];
  issuer.answerWith(await issuer.sign({ nonce: other.nonce, ...person() }));
  const wrong = await finish({ state: mine.state }, other.cookie);
  assert.deepEqual([wrong.status, cookiesOf(wrong)], [401, []]);
  assert.equal((await finish({ state: other.state }, other.cookie)).status, 200);
});

test('only a verified address of a domain that may join makes an account', async () => {
  const refusals: [JWTPayload, RegExp][] = [
    [{ ...person(), email_verified: false }, /verified your address/],
    [{ ...person(), email_verified: undefined }, /verified your address/],
    [{ ...person(), email: undefined }, /verified your address/],
    [{ ...person(), email: 'no address' }, /no valid e-mail address/],
    [{ ...person(), email: 'mira@elsewhere.example' }, /may not join/],
    [{ ...person(), email: 'mira@studio.example.evil.example' }, /may not join/],
  ];
  for (const [claims, words] of refusals) {
    const refused = await scene.logIn(claims);
    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.body.error, words);
  }
});

test('a provider whose addresses are trusted need not say that it has verified them', async () => {
  await using trusting = await openStaffScene({ OIDC_TRUST_EMAILS: 'true' });
  const { logIn } = trusting;
  assert.equal((await logIn({ ...person(), email_verified: undefined })).status, 200);
  const denied = await logIn({ ...person(), email_verified: false });
  assert.equal(denied.status, 403, denied.text);
  const elsewhere = { ...person(), email: 'mira@elsewhere.example', email_verified: undefined };
  assert.equal((await logIn(elsewhere)).status, 403);
});

test('guests of a directory whose addresses are trusted stay out', async () => {
  await using trusting = await openStaffScene({ OIDC_TRUST_EMAILS: 'true' });
  for (const acct of [1, '1']) {
    const refused = await trusting.logIn({ ...person(), acct });
    assert.deepEqual(
      [refused.status, refused.body.error],
      [403, 'Guests of the directory may not log in'],
    );
  }
  assert.equal((await trusting.logIn({ ...person(), acct: 0 })).status, 200);
  // Elsewhere, the provider vouches for each address itself.
  assert.equal((await scene.logIn({ ...person(), acct: 1 })).status, 200);
});

test('claims that are not in the ID token come from the UserInfo endpoint, about the same person', async () => {
  await using other = await openStaffScene();
  const mira = person();
  other.issuer.giveUserInfo(mira);
  const made = await other.logIn({ sub: mira.sub });
  assert.equal(made.body.user?.email, mira.email, made.text);
  const stranger = await other.logIn({ sub: 'somebody else' });
  assert.deepEqual(
    [stranger.status, stranger.body.error],
    [401, 'The identity provider spoke of somebody else'],
  );
});

test('without a provider, no operation of it exists, and the page shows no button', async () => {
  await using plain = await startTestServer();
  const { token } = await plain.makeAccount();
  const answer = { code: 'code', state: 'x' };
  for (const [path, body] of [
    ['begin', {}],
    ['finish', answer],
    ['link', { challenge: 'x', password: 'x' }],
    ['confirm', answer],
  ] as const) {
    const refused = await plain.request('POST', `/v1/auth/identity/${path}`, { token, body });
    assert.equal(refused.status, 404, `${path}: ${refused.text}`);
  }
  const options = await plain.request('GET', '/v1/auth/options');
  assert.equal(options.body.identity_provider, null);
});

test('a network begins only so many logins in a minute', async () => {
  await using other = await openStaffScene();
  const { server } = other;
  const begin = () => server.request('POST', '/v1/auth/identity/begin', { body: {} });
  assert.equal((await begin()).status, 200);
  await server.database.execute(sql`
    UPDATE attempt_counts SET attempts = ${MAX_IDENTITY_LOGINS_PER_MINUTE}
    WHERE action = 'identity_begin'`);
  const refused = await begin();
  assert.equal(refused.status, 429, refused.text);
});
