import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { JwtSecretKeeper, RetiredSecret } from '../auth/jwt-secrets.ts';
import { createTokens } from '../auth/tokens.ts';
import { ApiError } from '../errors.ts';
import type { Tenant } from './player-key.ts';
import { createPlayerTokens } from './player-tokens.ts';

const START_MS = Date.UTC(2026, 0, 1);
const CURRENT = 'the secret of this installation, long enough';
const NEXT = 'the secret after the rotation of the secret';

const tenant: Tenant = { game_id: randomUUID(), environment: 'production' };
const player = { ...tenant, player_id: 'Zoë 🦊/1' };
const session_id = randomUUID();

/** Makes player tokens with a clock and secrets that the test sets. */
function makeTokens() {
  const now = { seconds: 0 };
  let secrets = { current: CURRENT, retired: [] as RetiredSecret[] };
  const keeper: JwtSecretKeeper = { get: () => secrets, refresh: async () => undefined };
  const clock = () => new Date(START_MS + now.seconds * 1000);
  const setSecrets = (changed: typeof secrets) => {
    secrets = changed;
  };
  return { now, keeper, clock, setSecrets, ...createPlayerTokens(keeper, clock) };
}

const refused = (error: string) => (thrown: unknown) => {
  assert.ok(thrown instanceof ApiError);
  assert.deepEqual([thrown.status, thrown.body.error], [401, error]);
  return true;
};
const isInvalid = refused('Invalid player token');

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

test('a token names its player for an hour', () => {
  const { sign, verify, now } = makeTokens();
  const { player_token, expires_at } = sign(player, session_id);
  assert.equal(expires_at, new Date(START_MS + 3_600_000).toISOString());
  assert.equal(claimsOf(player_token).session_id, session_id);
  assert.equal(verify(player_token, tenant), player.player_id);
  now.seconds = 3_599;
  assert.equal(verify(player_token, tenant), player.player_id);
  now.seconds = 3_600;
  assert.throws(() => verify(player_token, tenant), refused('Player token expired'));
});

test('a token is refused in any other game and in any other environment', () => {
  const { sign, verify } = makeTokens();
  const { player_token } = sign(player, session_id);
  const isForeign = refused('This player token belongs to another game');
  assert.throws(() => verify(player_token, { ...tenant, game_id: randomUUID() }), isForeign);
  assert.throws(() => verify(player_token, { ...tenant, environment: 'development' }), isForeign);
  assert.equal(verify(player_token, tenant), player.player_id);
});

test('the longest player id fits into a token', () => {
  const { sign, verify } = makeTokens();
  const player_id = '🦊'.repeat(255);
  const { player_token } = sign({ ...tenant, player_id }, session_id);
  assert.equal(verify(player_token, tenant), player_id);
});

test('forged and malformed tokens are invalid', async () => {
  const { sign, verify, keeper, clock } = makeTokens();
  const { player_token } = sign(player, session_id);
  const [header, payload, signature] = player_token.split('.') as [string, string, string];
  const other = encode({ ...claimsOf(player_token), player_id: 'other' });
  const byDashboard = await createTokens(keeper, clock).sign({
    account_id: randomUUID(),
    session_id,
    generation: 1,
  });
  const hmac = (algorithm: string, key: string, signed: string) =>
    `${signed}.${createHmac(algorithm, key).update(signed).digest('base64url')}`;
  const forged = [
    '',
    '..',
    'x',
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${player_token}.`,
    `${player_token}=`,
    `${header}.${payload}.${signature.slice(0, -1)}é`,
    `${header}.${other}.${signature}`,
    `${encode({ alg: 'none' })}.${payload}.`,
    `${encode({ alg: 'none' })}.${payload}.${signature}`,
    hmac('sha512', CURRENT, `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}`),
    hmac('sha256', CURRENT, `${header}.${other}`),
    byDashboard,
    'a'.repeat(5_000),
  ];
  for (const token of forged) assert.throws(() => verify(token, tenant), isInvalid, token);
  assert.equal(verify(player_token, tenant), player.player_id);
});

test('a token is valid after its secret is rotated, but not after all sessions are ended', () => {
  const { sign, verify, setSecrets } = makeTokens();
  const { player_token } = sign(player, session_id);
  verify(player_token, tenant);
  const retired_at = new Date(START_MS + 120_000);
  setSecrets({ current: NEXT, retired: [{ secret: CURRENT, retired_at }] });
  assert.equal(verify(player_token, tenant), player.player_id);
  setSecrets({ current: NEXT, retired: [] });
  assert.throws(() => verify(player_token, tenant), isInvalid);
});

test('a new token that is signed with a stolen retired secret is refused', () => {
  const thief = makeTokens();
  const { verify, now, setSecrets } = makeTokens();
  setSecrets({
    current: NEXT,
    retired: [{ secret: CURRENT, retired_at: new Date(START_MS) }],
  });
  now.seconds = thief.now.seconds = 61;
  const { player_token } = thief.sign(player, session_id);
  assert.throws(() => verify(player_token, tenant), isInvalid);
});

test('a replaced secret still signs tokens until the time at which it is retired', () => {
  const { sign, verify, now, setSecrets } = makeTokens();
  const retired_at = new Date(START_MS + 120_000);
  setSecrets({ current: NEXT, retired: [{ secret: CURRENT, retired_at }] });
  const old = makeTokens();
  assert.equal(old.verify(sign(player, session_id).player_token, tenant), player.player_id);
  now.seconds = 120;
  const { player_token } = sign(player, session_id);
  assert.throws(() => old.verify(player_token, tenant), isInvalid);
  assert.equal(verify(player_token, tenant), player.player_id);
});
