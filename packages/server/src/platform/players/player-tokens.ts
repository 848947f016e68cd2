import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { chooseSigningSecret, isSignedInTime } from '../auth/jwt-secrets.ts';
import type { JwtSecretKeeper, RetiredSecret } from '../auth/jwt-secrets.ts';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { PlayerKey, Tenant } from './player-key.ts';

/** The lifetime of a player token. */
const LIFETIME_S = 3_600;

/** Twice the length of the longest token, in which the player id has 255 characters of four bytes. */
const MAX_TOKEN_CHARACTERS = 4_096;

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** The content of a player token; times are in seconds since 1970. */
interface Claims extends PlayerKey {
  /** The login session, which outlives its tokens. */
  session_id: string;
  iat: number;
  exp: number;
}

/**
 * Signs and verifies player tokens (JWT, only with HS256). Their key is derived from the secret of
 * dashboard tokens, so neither kind of token is accepted as the other, and both follow the rotation of the
 * secret. Verified tokens are not cached: verifying a token takes 5 µs, and a cache of thousands of tokens
 * would cost as much.
 */
export function createPlayerTokens(secrets: JwtSecretKeeper, clock: Clock) {
  let last_secrets = secrets.get();
  /** Maps each secret to the signing key that is derived from it. */
  const keys = new Map<string, KeyObject>();

  const keyOf = (secret: string): KeyObject => {
    let key = keys.get(secret);
    if (key === undefined) {
      // Signing with a plain buffer as the key takes five times as long.
      key = createSecretKey(createHmac('sha256', secret).update('player token').digest());
      keys.set(secret, key);
    }
    return key;
  };
  const signatureOf = (signed: string, secret: string): string =>
    createHmac('sha256', keyOf(secret)).update(signed).digest('base64url');

  const read = (token: string): Claims => {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.', 4);
    if (header !== HEADER || rest.length > 0) throw invalid();
    const isSignedBy = (secret: string) =>
      isSameText(signature, signatureOf(`${header}.${payload}`, secret));
    const { current, retired } = last_secrets;
    if (isSignedBy(current)) return parse(payload);
    const by_retired = retired.find(({ secret }) => isSignedBy(secret));
    if (by_retired === undefined) throw invalid();
    return checkAge(parse(payload), by_retired);
  };

  const verify = (token: string, { game_id, environment }: Tenant): Claims => {
    if (secrets.get() !== last_secrets) {
      last_secrets = secrets.get();
      keys.clear();
    }
    if (token.length > MAX_TOKEN_CHARACTERS) throw invalid();
    const claims = read(token);
    if (claims.exp * 1000 <= clock().getTime()) throw new ApiError(401, 'Player token expired');
    if (claims.game_id !== game_id || claims.environment !== environment) {
      throw new ApiError(401, 'This player token belongs to another game');
    }
    return claims;
  };

  return {
    /** Signs a token that names the player and is valid for an hour. */
    sign({ game_id, environment, player_id }: PlayerKey, session_id: string) {
      const now = clock();
      const iat = Math.floor(now.getTime() / 1000);
      const exp = iat + LIFETIME_S;
      const claims: Claims = { game_id, environment, player_id, session_id, iat, exp };
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      const signed = `${HEADER}.${payload}`;
      const secret = chooseSigningSecret(secrets.get(), now);
      return {
        player_token: `${signed}.${signatureOf(signed, secret)}`,
        expires_at: new Date(exp * 1000).toISOString(),
      };
    },
    /**
     * Finds the player that a token names.
     * @param tenant The game and environment of the API key that came with the token.
     * @throws ApiError 401 `Invalid player token`, `Player token expired`, or, for a token of another game or
     * environment, `This player token belongs to another game`.
     */
    verify: (token: string, tenant: Tenant): string => verify(token, tenant).player_id,
    /** Does the same as `verify`. @returns the player, and the time when the token expires. */
    read(token: string, tenant: Tenant): { player: PlayerKey; expires_at: string } {
      const { game_id, environment, player_id, exp } = verify(token, tenant);
      const player = { game_id, environment, player_id };
      return { player, expires_at: new Date(exp * 1000).toISOString() };
    },
    /** Reads the id of the login session in a verified token. The session may have ended. */
    sessionOf: (token: string): string => parse(token.split('.')[1]!).session_id,
  };
}

export type PlayerTokens = ReturnType<typeof createPlayerTokens>;

const invalid = () => new ApiError(401, 'Invalid player token');

/**
 * Parses the content of a token. Only this server signs tokens, so the content of a signed token has the
 * right form.
 */
const parse = (payload: string): Claims =>
  JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;

function checkAge(claims: Claims, retired: RetiredSecret): Claims {
  if (!isSignedInTime(retired, claims.iat) || claims.exp - claims.iat > LIFETIME_S) throw invalid();
  return claims;
}

/** Compares two texts in constant time. */
function isSameText(given: string, right: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === right.length && timingSafeEqual(bytes, Buffer.from(right));
}
