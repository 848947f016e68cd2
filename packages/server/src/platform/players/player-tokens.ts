import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { chooseSigningSecret, isSignedInTime } from '../auth/jwt-secrets.ts';
import type { JwtSecretKeeper, RetiredSecret } from '../auth/jwt-secrets.ts';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { PlayerKey, Tenant } from './player-key.ts';

/** Lifetime of a player token. */
const LIFETIME_S = 3_600;

/** Twice the longest token: one of a player whose id is 255 characters of four bytes. */
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
 * Signs and verifies player tokens (JWT, HS256 and no other algorithm). Their key is derived from the
 * secret of dashboard tokens: neither kind passes as the other, and both follow its rotation. No token
 * is remembered: to verify one takes 5 µs, and to keep thousands in memory costs as much.
 */
export function createPlayerTokens(secrets: JwtSecretKeeper, clock: Clock) {
  let last_secrets = secrets.get();
  /** By secret. */
  const keys = new Map<string, KeyObject>();

  const keyOf = (secret: string): KeyObject => {
    let key = keys.get(secret);
    if (key === undefined) {
      // A signature by a plain buffer takes five times as long.
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

  return {
    /** Signs a token that names the player, for an hour. */
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
     * The player whom a token names.
     * @param tenant Game and environment of the API key that came with the token.
     * @throws ApiError 401 `Invalid player token`, `Player token expired`, or
     * `This player token belongs to another game`, also for the game's other environment.
     */
    verify(token: string, { game_id, environment }: Tenant): string {
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
      return claims.player_id;
    },
    /** The login session of a token that was verified. It may have ended. */
    sessionOf: (token: string): string => parse(token.split('.')[1]!).session_id,
  };
}

export type PlayerTokens = ReturnType<typeof createPlayerTokens>;

const invalid = () => new ApiError(401, 'Invalid player token');

/** Only this server signs, so the content of a signed token has the right form. */
const parse = (payload: string): Claims =>
  JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;

function checkAge(claims: Claims, retired: RetiredSecret): Claims {
  if (!isSignedInTime(retired, claims.iat) || claims.exp - claims.iat > LIFETIME_S) throw invalid();
  return claims;
}

/** Compares in constant time. */
function isSameText(given: string, right: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === right.length && timingSafeEqual(bytes, Buffer.from(right));
}
