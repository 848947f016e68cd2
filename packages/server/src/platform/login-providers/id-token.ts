import type { JWTPayload } from 'jose';
import { JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { JWTVerifyGetKey } from 'jose/jwt/verify';
import { ApiError } from '../errors.ts';
import { IssuerFailed } from './issuers.ts';
import { isName } from './subject.ts';

/** Issuers sign with private keys, so algorithms with a shared secret are not accepted. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** The maximum difference between the clocks of the server and an issuer. */
const TOLERANCE_S = 60;
/** Used tokens are remembered until they expire, but at most for this time. */
const MAX_LIFETIME_S = 24 * 3600;

/** The claims of a checked ID token. `sub` can be stored. */
export type IdClaims<Claims> = JWTPayload & Claims & { sub: string; exp: number };

/**
 * Checks an ID token of an OpenID Connect issuer: its signature, issuer, audience and times. The caller checks
 * the nonce.
 * @param keys Finds the issuer's keys, as `createIssuers` makes it.
 * @param expected.audiences The token must be for one of them.
 * @throws ApiError 401 when the token is not valid, IssuerFailed when the issuer gives no usable keys.
 */
export async function verifyIdToken<Claims>(
  id_token: string,
  keys: JWTVerifyGetKey,
  { issuer, audiences }: { issuer: string; audiences: string[] },
): Promise<IdClaims<Claims>> {
  const { payload } = await jwtVerify<Claims>(id_token, keys, {
    algorithms: ALGORITHMS,
    issuer,
    audience: audiences,
    requiredClaims: ['sub', 'exp', 'iat'],
    clockTolerance: TOLERANCE_S,
    maxTokenAge: MAX_LIFETIME_S,
  }).catch(refuse);
  if (!isName(payload.sub)) throw invalidToken();
  return payload as IdClaims<Claims>;
}

/**
 * The time until which a used token must be remembered, in milliseconds since 1970: until it expires, but at
 * most for a day.
 */
export function rememberedUntil({ exp }: { exp: number }): number {
  const latest_s = Date.now() / 1000 + MAX_LIFETIME_S + TOLERANCE_S;
  return (Math.min(exp, latest_s) + TOLERANCE_S) * 1000;
}

function refuse(error: unknown): never {
  if (error instanceof IssuerFailed || error instanceof ApiError) throw error;
  throw invalidToken(error);
}

const invalidToken = (cause?: unknown) => new ApiError(401, wordsFor(cause), {}, { cause });

function wordsFor(error: unknown): string {
  if (error instanceof JWTExpired) return 'ID token expired';
  if (error instanceof JWTClaimValidationFailed && ['iss', 'aud'].includes(error.claim)) {
    return 'This ID token is of another issuer or for another game';
  }
  return 'Invalid ID token';
}
