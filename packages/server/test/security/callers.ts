import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { makeAccessToken } from '../../src/platform/auth/access-token-text.ts';
import { createJwtSecretKeeper } from '../../src/platform/auth/jwt-secrets.ts';
import { createTokens } from '../../src/platform/auth/tokens.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { TestGame, TestServer } from '../harness.ts';
import type { TestAccount } from '../test-account.ts';

/**
 * The error answer to a caller without valid credentials. The server checks the credentials before
 * anything else.
 */
export interface Refusal {
  status: 401 | 403;
  error?: string;
  code?: string;
}

export const MISSING_KEY: Refusal = { status: 401, error: 'Missing x-game-api-key header' };
const INVALID_KEY: Refusal = { status: 401, error: 'Invalid API key' };
export const MISSING_TOKEN: Refusal = { status: 401, error: 'Missing Authorization header' };
const INVALID_TOKEN: Refusal = { status: 401, error: 'Invalid token' };
const EXPIRED_TOKEN: Refusal = { status: 401, error: 'Token expired' };
const PENDING: Refusal = { status: 403, code: 'ACCOUNT_PENDING' };
const LOCKED: Refusal = { status: 403, code: 'ACCOUNT_LOCKED' };
/** All refusals of callers without valid credentials. */
export const REFUSALS = [MISSING_KEY, INVALID_KEY, MISSING_TOKEN, INVALID_TOKEN, EXPIRED_TOKEN];

/**
 * Callers with an API key; each key of the object describes a case. `refusal` is the answer that the API
 * key must cause, or null if the API key is valid.
 */
export type KeyCallers = Record<string, { key: string; refusal: Refusal | null }>;
/** Callers with a wrong token. `refusal` is the answer of operations that need a token. */
export type TokenCallers = Record<string, { authorization: string; refusal: Refusal }>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes valid and invalid API keys of a game. */
export async function makeKeyCallers(
  server: TestServer,
  { game_id, production_key, development_key }: TestGame,
): Promise<KeyCallers> {
  const revoked = await server.makeKey(game_id, 'production');
  await server.database.execute(sql`
    UPDATE api_keys SET revoked_at = now()
    WHERE game_id = ${game_id} AND starts_with(${revoked}, prefix)`);
  const expired = await server.makeKey(game_id, 'production');
  await server.database.execute(sql`
    UPDATE api_keys SET expires_at = now()
    WHERE game_id = ${game_id} AND starts_with(${expired}, prefix)`);
  return {
    'a malformed key': { key: 'not a key', refusal: INVALID_KEY },
    'an unknown key': {
      key: `ow_live_${randomBytes(24).toString('base64url')}`,
      refusal: INVALID_KEY,
    },
    'a revoked key': { key: revoked, refusal: INVALID_KEY },
    'an expired key': { key: expired, refusal: INVALID_KEY },
    'a production key': { key: production_key, refusal: null },
    'a development key': { key: development_key, refusal: null },
    'a server key': { key: await server.makeKey(game_id, 'production', 'server'), refusal: null },
  };
}

/** Makes access tokens with the role owner in a game, each with one thing wrong. */
export async function makeRefusedAccessTokens(
  server: TestServer,
  game_id: string,
): Promise<TokenCallers> {
  const { database } = server;
  const make = async () => {
    const account = await server.makeAccount({ game_id });
    const made = await server.makeAccessToken(account.account_id, [game_id], 'owner');
    return { ...account, ...made };
  };
  const [revoked, expired, removed, erased, locked] = [
    await make(),
    await make(),
    await make(),
    await make(),
    await make(),
  ];
  const { token } = await make();
  const wrong_digit = token.at(-1) === '0' ? '1' : '0';
  await database.execute(sql`DELETE FROM access_tokens WHERE id = ${revoked.token_id}`);
  await database.execute(
    sql`UPDATE access_tokens SET expires_at = now() WHERE id = ${expired.token_id}`,
  );
  await database.execute(sql`
    DELETE FROM game_members WHERE game_id = ${game_id} AND account_id = ${removed.account_id}`);
  await database.execute(sql`DELETE FROM accounts WHERE id = ${erased.account_id}`);
  await database.execute(
    sql`UPDATE accounts SET status = 'locked' WHERE id = ${locked.account_id}`,
  );
  const bearer = (text: string, refusal = INVALID_TOKEN) => ({
    authorization: `Bearer ${text}`,
    refusal,
  });
  return {
    'an access token with a wrong checksum': bearer(token.slice(0, -1) + wrong_digit),
    'an access token that is cut short': bearer(token.slice(0, -1)),
    'an access token that was never made': bearer(makeAccessToken().token),
    'a revoked access token': bearer(revoked.token),
    'an expired access token': bearer(expired.token, EXPIRED_TOKEN),
    'an access token of a removed member': bearer(removed.token),
    'an access token of a deleted account': bearer(erased.token),
    'an access token of a locked account': bearer(locked.token, LOCKED),
  };
}

/** Makes tokens of a game's owner or other members, each with one thing wrong. */
export async function makeRefusedTokens(
  server: TestServer,
  game_id: string,
  owner: TestAccount,
): Promise<TokenCallers> {
  const configured = { jwt_secret: null, jwt_secret_previous: null };
  const own = await createJwtSecretKeeper(server.database, configured);
  const secret = own.get().current;
  const { token, account_id } = owner;
  const [header, payload, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString());
  const sign = async (clock: () => Date, by = secret) => {
    const keeper = { get: () => ({ current: by, retired: [] }), refresh: async () => undefined };
    const { session_id, generation } = claims;
    return createTokens(keeper, clock).sign({ account_id, session_id, generation });
  };
  const pending = await server.makeAccount({ game_id });
  const locked = await server.makeAccount({ game_id });
  const ended = await server.makeAccount({ game_id });
  const deleted = await server.makeAccount({ game_id });
  const replaced = await server.makeAccount({ game_id });
  const administrator = await server.makeAccount({ is_administrator: true });
  const { database } = server;
  await database.execute(
    sql`UPDATE accounts SET status = 'pending' WHERE id = ${pending.account_id}`,
  );
  await database.execute(
    sql`UPDATE accounts SET status = 'locked' WHERE id = ${locked.account_id}`,
  );
  await database.execute(sql`DELETE FROM account_sessions WHERE account_id = ${ended.account_id}`);
  await database.execute(
    sql`UPDATE accounts SET token_generation = 2 WHERE id = ${replaced.account_id}`,
  );
  await database.execute(sql`DELETE FROM accounts WHERE id = ${deleted.account_id}`);
  const otherAlgorithm = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS512' })
    .sign(new TextEncoder().encode(secret));
  const bearer = (text: string, refusal = INVALID_TOKEN) => ({
    authorization: `Bearer ${text}`,
    refusal,
  });
  return {
    'a garbage token': bearer('garbage'),
    'another scheme': { authorization: `Basic ${token}`, refusal: INVALID_TOKEN },
    'an expired token': bearer(
      await sign(() => new Date(Date.now() - 8 * 86_400_000)),
      EXPIRED_TOKEN,
    ),
    'a tampered token': bearer(
      [header, encode({ ...claims, sub: administrator.account_id }), signature].join('.'),
    ),
    'a token with alg none': bearer(`${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`),
    'a token by another algorithm': bearer(await otherAlgorithm),
    'a token by another secret': bearer(await sign(() => new Date(), 'x'.repeat(48))),
    'a token of an ended session': bearer(ended.token),
    'a token from before a new password': bearer(replaced.token),
    'a token of a deleted account': bearer(deleted.token),
    'a pending account': bearer(pending.token, PENDING),
    'a locked account': bearer(locked.token, LOCKED),
  };
}
