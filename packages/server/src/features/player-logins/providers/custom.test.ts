import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { SignJWT } from 'jose/jwt/sign';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeDevice, makeLoginGame, refusalOf } from '../test/login-game.ts';
import type { LoginGame } from '../test/login-game.ts';

let server: TestServer;
let game: LoginGame;
let secret: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  game = await makeLoginGame(server);
  secret = randomBytes(32).toString('base64url');
});

const now_s = () => Math.floor(Date.now() / 1000);
const sign = (
  claims: Record<string, unknown> = {},
  key: string | KeyObject = secret,
  alg = 'HS256',
) =>
  new SignJWT({ sub: 'user-7', exp: now_s() + 600, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg })
    .sign(typeof key === 'string' ? new TextEncoder().encode(key) : key);
const logIn = async (token: Promise<string> | string, key?: string) =>
  game.logIn({ provider: 'custom', token: await token }, key);

const INVALID = 'Invalid login token';

test('a token signed with the studio’s secret logs in, but only in its own environment', async () => {
  await game.register('custom', { secret });
  const first = await logIn(sign());
  assert.deepEqual([first.status, first.body.providers], [201, ['custom']]);
  assert.equal((await logIn(sign())).body.player_id, first.body.player_id);
  const elsewhere = await logIn(sign(), game.development_key);
  assert.deepEqual(refusalOf(elsewhere), [404, 'Login provider not found']);
});

for (const [alg, make] of Object.entries({
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
})) {
  test(`a token logs in if the private key signed it, but not if the public key did (${alg})`, async () => {
    const { publicKey, privateKey } = make();
    const public_key = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const { status } = await game.register('custom', { public_key });
    assert.equal(status, 200);
    assert.equal((await logIn(sign({}, privateKey, alg))).status, 201);
    for (const text of [public_key, public_key.trim()]) {
      assert.deepEqual(refusalOf(await logIn(sign({}, text))), [401, INVALID]);
    }
  });
}

test('tokens that are forged, expired, without an expiry or for another game answer 401', async () => {
  await game.register('custom', { secret });
  const [, payload] = (await sign()).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const cases: [string, string][] = [
    [`${none}.${payload}.`, INVALID],
    [await sign({}, randomBytes(32).toString('base64url')), INVALID],
    [await sign({}, secret.padEnd(64, 'x'), 'HS512'), INVALID],
    ['rubbish', INVALID],
    [await sign({ sub: undefined }), 'sub of the login token is missing'],
    [await sign({ exp: undefined }), 'exp of the login token is missing'],
    [await sign({ exp: now_s() - 61 }), 'Login token expired'],
    [await sign({ exp: now_s() + 86_500 }), 'The login token lives for more than 24 hours'],
    [await sign({ sub: '' }), 'sub of the login token must have 1 to 255 characters'],
    [await sign({ player_id: 7 }), 'player_id of the login token must have 1 to 255 characters'],
  ];
  for (const [token, error] of cases) assert.deepEqual(refusalOf(await logIn(token)), [401, error]);
});

test('a token logs in once', async () => {
  await game.register('custom', { secret });
  const token = await sign();
  assert.equal((await logIn(token)).status, 201);
  // All three texts are the same token, because decoders ignore padding and spaces.
  for (const same of [token, `${token}=`, `${token.slice(0, -4)} ${token.slice(-4)}`]) {
    assert.match((await logIn(same)).body.error, /^This token was used before/);
  }
});

test('a claim player_id logs in as that player, even if the player has other logins', async () => {
  await game.register('custom', { secret });
  const device = await game.logIn(makeDevice());
  const { player_id } = device.body;
  const vouched = await logIn(sign({ player_id }));
  assert.deepEqual(
    [vouched.status, vouched.body.player_id, vouched.body.providers],
    [201, player_id, ['custom', 'device']],
  );
  assert.equal((await logIn(sign())).body.player_id, player_id);
  const other = await logIn(sign({ player_id: 'another' }));
  assert.equal(other.status, 409);
  assert.equal(
    (await logIn(sign({ sub: 'user-8', player_id: 'chosen' }))).body.player_id,
    'chosen',
  );
});

test('a changed provider takes effect immediately, and a removed one no longer works', async () => {
  await game.register('custom', { secret });
  await logIn(sign());
  const next = randomBytes(32).toString('base64url');
  await game.register('custom', { secret: next });
  assert.equal((await logIn(sign())).status, 401);
  assert.equal((await logIn(sign({}, next))).status, 200);
  assert.equal((await game.steer('DELETE', '/login-providers/custom')).status, 204);
  assert.equal((await logIn(sign({}, next))).status, 404);
});

test('a secret is stored encrypted, shown nowhere, and stays when a change leaves it out', async () => {
  const shown = await game.register('custom', { secret });
  assert.deepEqual([shown.body.has_secret, shown.body.kind], [true, 'custom']);
  const stored = await server.database.queryOne<{ text: string }>(sql`
    SELECT login_providers::text AS text FROM login_providers WHERE game_id = ${game.game_id}`);
  const list = await game.steer('GET', '/login-providers');
  const log = await game.steer('GET', '/audit-log');
  for (const text of [shown.text, stored!.text, list.text, log.text]) {
    assert.ok(!text.includes(secret));
  }
  assert.ok(log.text.includes('put_login_provider'));
  assert.equal((await game.register('custom', {})).status, 200);
  assert.equal((await logIn(sign())).status, 201);
});

test('wrong settings answer 400 with the name of the field', async () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
  const pem = small.export({ type: 'spki', format: 'pem' });
  const pair = generateKeyPairSync('ed25519');
  const both = [
    pair.publicKey.export({ type: 'spki', format: 'pem' }),
    pair.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ].join('');
  const cases: [string, object, string][] = [
    ['custom', {}, 'secret or public_key is required'],
    ['custom', { secret: 'short' }, 'secret must have at least 32 characters'],
    ['custom', { secret, public_key: 'x' }, 'Either secret or public_key must be given, not both'],
    [
      'custom',
      { public_key: 'x' },
      'public_key must be PEM that begins with -----BEGIN PUBLIC KEY-----',
    ],
    [
      'custom',
      { public_key: both },
      'public_key must be PEM that begins with -----BEGIN PUBLIC KEY-----',
    ],
    [
      'custom',
      { public_key: pem },
      'public_key must be RSA of 2048 to 8192 bits, P-256, P-384, P-521 or Ed25519',
    ],
    ['steam', {}, 'app_id is required'],
    ['steam', { app_id: 'x' }, 'app_id must be digits'],
    ['steam', { app_id: '480' }, 'web_api_key is required'],
    ['device', {}, 'device needs no registration: every game has it'],
    [
      'Google',
      { issuer: 'https://a.example', audiences: ['a'] },
      'provider must be small letters, digits, - and _',
    ],
    ['google', {}, 'issuer is required'],
    ['google', { issuer: 'https://a.example' }, 'audiences is required'],
    [
      'google',
      { issuer: 'https://a:b@a.example', audiences: ['a'] },
      'issuer must have no user name, password or fragment',
    ],
    [
      'google',
      { issuer: 'ftp://a.example', audiences: ['a'] },
      'issuer must be an address that begins with https://',
    ],
  ];
  for (const [provider, body, error] of cases) {
    assert.deepEqual(refusalOf(await game.register(provider, body)), [400, error]);
  }
  for (let count = 0; count < 20; count++) {
    const body = { issuer: 'https://a.example', audiences: ['a'] };
    assert.equal((await game.register(`issuer-${count}`, body)).status, 200);
  }
  assert.equal((await game.register('custom', { secret })).status, 409);
});
