import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose/jwt/sign';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeLoginGame, refusalOf } from '../test/login-game.ts';

/** Login providers as documents, without their secrets. */

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const provider = (key: string, definition: object = {}) => ({
  kind: 'login_provider',
  key,
  definition,
});
const GOOGLE = { issuer: 'https://accounts.studio.example', audiences: ['a'] };

async function makeGame() {
  const game = await makeLoginGame(server);
  const plan = (definitions: object[]) => game.steer('POST', '/definitions/plan', { definitions });
  return {
    ...game,
    plan,
    async apply(...definitions: object[]) {
      const { body } = await plan(definitions);
      return game.steer('POST', '/definitions/apply', { definitions, plan: body.plan });
    },
  };
}

test('a provider of a file refuses logins until its secret is entered, and a later file keeps the secret', async () => {
  const game = await makeGame();
  assert.equal((await game.apply(provider('production/custom'))).status, 200);
  const secret = randomBytes(32).toString('base64url');
  const logIn = async () => {
    const claims = { sub: 'user-7', exp: Math.floor(Date.now() / 1_000) + 600, jti: randomUUID() };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret));
    return game.logIn({ provider: 'custom', token });
  };
  const words = 'The secret of custom logins cannot be read: register it again';
  assert.deepEqual(refusalOf(await logIn()), [503, words]);
  await game.register('custom', { secret });
  assert.equal((await logIn()).status, 201);
  const applied = await game.apply(provider('production/custom'), provider('production/g', GOOGLE));
  assert.equal(applied.status, 200);
  assert.equal((await logIn()).status, 200);
});

test('a file cannot take the only key of a provider, and its public key replaces a secret', async () => {
  const game = await makeGame();
  await game.register('custom', { secret: 's'.repeat(32) });
  const { publicKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const keyed = provider('production/custom', { public_key });
  assert.equal((await game.apply(keyed)).status, 200);
  const { body } = await game.steer('GET', '/login-providers');
  const [{ has_secret, public_key: stored }] = body.login_providers;
  assert.deepEqual([has_secret, stored], [false, public_key]);
  const refused = await game.apply(provider('production/custom'));
  assert.equal(refused.status, 400);
  assert.match(refused.body.problems[0].error, /^public_key is required/);
});

test('a wrong provider is refused with the reason of the dashboard', async () => {
  const { plan } = await makeGame();
  const { body } = await plan([
    provider('staging/google', GOOGLE),
    provider('production/Google', GOOGLE),
    provider('production/device'),
    provider('production/steam'),
    provider('production/steam', { app_id: '480', issuer: GOOGLE.issuer }),
    provider('production/custom', { secret: 's'.repeat(32) }),
    provider('production/a', { issuer: GOOGLE.issuer }),
    provider('production/b', { ...GOOGLE, issuer: 'http://accounts.studio.example' }),
  ]);
  const words = body.problems.map(({ error }: { error: string }) => error);
  assert.deepEqual(words, [
    'key must begin with development/ or production/',
    'provider must be small letters, digits, - and _',
    'device needs no registration: every game has it',
    'app_id is required',
    'issuer is no setting of steam',
    'secret is not allowed',
    'audiences is required',
    'issuer must be an address that begins with https://',
  ]);
});
