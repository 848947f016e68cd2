import assert from 'node:assert/strict';
import { createHmac, hash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { AUDIENCE, startIssuer } from '../test/issuer.ts';
import { makeIssuerGame } from '../test/issuer-game.ts';
import type { IssuerGame } from '../test/issuer-game.ts';
import { makeDevice, makeLoginGame, refusalOf } from '../test/login-game.ts';

let server: TestServer;
let game: IssuerGame['game'];
let issuer: IssuerGame['issuer'];
let register: IssuerGame['register'];
let logIn: IssuerGame['logIn'];
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_ISSUERS: 'true' } });
});
after(() => server.close());

afterEach(() => issuer.close());
beforeEach(async () => {
  ({ game, issuer, register, logIn } = await makeIssuerGame(server));
});

const INVALID = 'Invalid ID token';
const FOREIGN = 'This ID token is of another issuer or for another game';
const AWAY = 'The login provider cannot be reached, try again later';
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
const now_s = () => Math.floor(Date.now() / 1000);

test('a provider with jwks_url needs no discovery document', async () => {
  await register({ jwks_url: `${issuer.url}/keys` });
  assert.equal((await logIn(await issuer.sign())).status, 201);
  assert.deepEqual(issuer.asked, ['/keys']);
});

test('a login gets 401 if its ID token is expired, incomplete, or from another issuer or for another game', async () => {
  const other = await startIssuer();
  const cases: [string, string][] = [
    [await issuer.sign({ exp: now_s() - 61 }), 'ID token expired'],
    [await issuer.sign({ iat: now_s() - 86_461, exp: now_s() + 60 }), 'ID token expired'],
    [await issuer.sign({ iss: 'https://elsewhere.example' }), FOREIGN],
    [await issuer.sign({ aud: 'another-game' }), FOREIGN],
    [await issuer.sign({ aud: undefined }), FOREIGN],
    [await issuer.sign({ sub: undefined }), INVALID],
    [await issuer.sign({ exp: undefined }), INVALID],
    [await issuer.sign({ iat: undefined }), INVALID],
    [await issuer.sign({ sub: '' }), INVALID],
    [await issuer.sign({ sub: 'x'.repeat(256) }), INVALID],
    [await issuer.sign({ sub: 'a\0b' }), INVALID],
    [await other.sign({ iss: issuer.url }), INVALID],
    [await issuer.sign({}, { kid: 'unknown' }), INVALID],
  ];
  await other.close();
  for (const [id_token, error] of cases) {
    assert.deepEqual(refusalOf(await logIn(id_token)), [401, error]);
  }
});

test('forged and oversized ID tokens are refused', async () => {
  const token = await issuer.sign();
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const key = issuer.showKey() as { n: string };
  const byPublicKey = `${encode({ alg: 'HS256', kid: 'key-1' })}.${payload}`;
  const forged = [
    `${encode({ alg: 'none' })}.${payload}.`,
    `${encode({ alg: 'none', kid: 'key-1' })}.${payload}.${signature}`,
    `${byPublicKey}.${createHmac('sha256', key.n).update(byPublicKey).digest('base64url')}`,
    `${byPublicKey}.${createHmac('sha256', JSON.stringify(key)).update(byPublicKey).digest('base64url')}`,
    `${header}.${encode({ iss: issuer.url, aud: AUDIENCE, sub: 'victim', iat: now_s(), exp: now_s() + 60 })}.${signature}`,
    `${header}.${payload}`,
    'rubbish',
  ];
  for (const id_token of forged) {
    assert.deepEqual(refusalOf(await logIn(id_token)), [401, INVALID], id_token);
  }
  assert.equal((await logIn(await issuer.sign({ filler: 'x'.repeat(7_000) }))).status, 400);
  assert.equal((await logIn('x'.repeat(17_000))).status, 413);
  assert.deepEqual(refusalOf(await game.logIn({ provider: 'studio-id' })), [
    400,
    'id_token is required',
  ]);
});

const USED = 'This token was used before: get a new one from the provider';

test('an ID token opens one session, even if it is sent several times at once', async () => {
  for (const sub of ['new', 'known']) {
    if (sub === 'known') await logIn(await issuer.sign({ sub, jti: randomUUID() }));
    const earlier = await countSessions();
    const id_token = await issuer.sign({ sub });
    const answers = await Promise.all(Array.from({ length: 6 }, () => logIn(id_token)));
    const refused = answers.filter(({ status }) => status >= 400);
    assert.equal(refused.length, 5, sub);
    for (const answer of refused) assert.deepEqual(refusalOf(answer), [401, USED]);
    for (const same of [id_token, `${id_token}=`]) {
      assert.equal((await logIn(same)).status, 401);
    }
    assert.equal(await countSessions(), earlier + 1, sub);
  }
});

const countSessions = () =>
  server.database.ofGame(game.game_id).execute(sql`
    SELECT FROM player_login_sessions WHERE game_id = ${game.game_id}`);

test('the token of an erased player makes no new player', async () => {
  const id_token = await issuer.sign();
  const { body } = await logIn(id_token);
  await game.steer('DELETE', `/players/${body.player_id}`);
  assert.deepEqual(refusalOf(await logIn(id_token)), [401, USED]);
});

test('a link may be repeated with its ID token, but the token opens no session', async () => {
  const device = await game.logIn(makeDevice());
  const login = { provider: 'studio-id', id_token: await issuer.sign() };
  for (let turn = 0; turn < 2; turn++) {
    const linked = await game.link(device.body.player_token, login);
    assert.deepEqual([linked.status, linked.body.providers], [200, ['device', 'studio-id']]);
  }
  assert.deepEqual(refusalOf(await game.logIn(login)), [401, USED]);
});

test('the claim nonce must be the nonce of the request or its SHA-256, but no copied hash', async () => {
  const nonce = randomUUID();
  const withNonce = (claim?: string) => issuer.sign({ nonce: claim, jti: randomUUID() });
  const hashes = [hash('sha256', nonce, 'hex'), hash('sha256', nonce, 'base64url')];
  for (const claim of [nonce, ...hashes]) {
    assert.ok((await logIn(await withNonce(claim), { nonce })).status < 300, claim);
  }
  for (const claim of [...hashes, hashes[0]!.toUpperCase(), hash('sha256', nonce, 'base64')]) {
    const copied = await logIn(await withNonce(claim), { nonce: claim });
    assert.deepEqual(refusalOf(copied), [401, COPIED]);
  }
  const wrong = 'The nonce is not that of the ID token';
  const replayed = await logIn(await withNonce(hashes[0]), { nonce: randomUUID() });
  assert.deepEqual(refusalOf(replayed), [401, wrong]);
  assert.deepEqual(refusalOf(await logIn(await withNonce(), { nonce })), [401, wrong]);
  const missing = await logIn(await withNonce(nonce));
  assert.deepEqual(refusalOf(missing), [401, 'The ID token has a nonce: send nonce, too']);
});

const COPIED = 'The nonce looks like a SHA-256: send the text that was hashed';

test('logins answer 503 when the issuer answers rubbish, fails or redirects', async () => {
  const redirected = await startIssuer();
  const document = (text: object) => (answer: ServerResponse) => answer.end(JSON.stringify(text));
  const rubbishOf = (url: string): ((answer: ServerResponse) => unknown)[] => [
    (answer) => answer.end('<html>'),
    (answer) => answer.end('null'),
    document({ issuer: 7, jwks_uri: {} }),
    document({ issuer: 'https://other.example', jwks_uri: `${url}/keys` }),
    document({ issuer: url, jwks_uri: 'file:///etc/passwd' }),
    document({ issuer: url, jwks_uri: 'not an address' }),
    document({ keys: 'x'.repeat(300_000) }),
    (answer) => answer.writeHead(500).end('{}'),
    (answer) => answer.writeHead(302, { location: `${redirected.url}/keys` }).end(),
    (answer) => answer.destroy(),
    (answer) => answer.socket!.end(SWITCHED),
  ];
  for (const index of rubbishOf('').keys()) {
    for (const withKeys of [false, true]) {
      // Each issuer has a new URL, so failures of earlier issuers do not count against it.
      const fresh = await startIssuer();
      fresh.answerBy((_request, answer) => void rubbishOf(fresh.url)[index]!(answer));
      const jwks_url = withKeys ? `${fresh.url}/keys` : undefined;
      await register({ issuer: fresh.url, jwks_url });
      const answer = await logIn(await fresh.sign());
      assert.deepEqual(refusalOf(answer), [503, AWAY], `${index} ${withKeys}`);
      assert.equal(answer.headers.get('retry-after'), '5');
      await fresh.close();
    }
  }
  assert.deepEqual(redirected.asked, [], 'no redirect is followed');
  await redirected.close();
});

test('a server calls no issuer in a private network, unless its operator allows this', async () => {
  const guarded = await startTestServer();
  const own = await makeLoginGame(guarded);
  const insecure = await own.register('studio-id', { issuer: issuer.url, audiences: ['a'] });
  assert.deepEqual(refusalOf(insecure), [
    400,
    'issuer must be an address that begins with https://',
  ]);
  const { port } = new URL(issuer.url);
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '2130706433',
  ]) {
    const address = `https://${host}:${port}`;
    const settings = { issuer: address, audiences: ['a'] };
    assert.equal((await own.register('studio-id', settings)).status, 200, host);
    const id_token = await issuer.sign();
    const answer = await own.logIn({ provider: 'studio-id', id_token });
    assert.deepEqual(refusalOf(answer), [503, AWAY], host);
  }
  assert.deepEqual(issuer.asked, []);
  await guarded.close();
});
