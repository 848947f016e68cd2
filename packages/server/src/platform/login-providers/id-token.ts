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
 * @param expected.audience_name The name of an audience in the refusal, such as `game`.
 * @throws ApiError 401 when the token is not valid, IssuerFailed when the issuer gives no usable keys.
 */
export async function verifyIdToken<Claims>(
  id_token: string,
  keys: JWTVerifyGetKey,
  expected: { issuer: string; audiences: string[]; audience_name: 'client' | 'game' },
): Promise<IdClaims<Claims>> {
  const { issuer, audiences, audience_name } = expected;
  const { payload } = await jwtVerify<Claims>(id_token, keys, {
    algorithms: ALGORITHMS,
    issuer,
    audience: audiences,
    requiredClaims: ['sub', 'exp', 'iat'],
    clockTolerance: TOLERANCE_S,
    maxTokenAge: MAX_LIFETIME_S,
  }).catch((error: unknown): never => {
    if (error instanceof IssuerFailed || error instanceof ApiError) throw error;
    throw invalidToken(wordsFor(error, audience_name), error);
  });
  if (!isName(payload.sub)) throw invalidToken('Invalid ID token');
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

const invalidToken = (error: string, cause?: unknown) => new ApiError(401, error, {}, { cause });

function wordsFor(error: unknown, audience_name: string): string {
  if (error instanceof JWTExpired) return 'ID token expired';
  if (error instanceof JWTClaimValidationFailed && ['iss', 'aud'].includes(error.claim)) {
    return `This ID token is of another issuer or for another ${audience_name}`;
  }
  return 'Invalid ID token';
}
