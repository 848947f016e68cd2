import { JWSSignatureVerificationFailed, JWTExpired } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { isUuid } from '../http/validation.ts';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { chooseSigningSecret, isSignedInTime, TOKEN_LIFETIME_DAYS } from './jwt-secrets.ts';
import type { JwtSecretKeeper, RetiredSecret } from './jwt-secrets.ts';

const LIFETIME_SECONDS = TOKEN_LIFETIME_DAYS * 24 * 3600;

/** The content of a token. */
export interface TokenClaims {
  account_id: string;
  /** The session, which ends when its row is deleted. */
  session_id: string;
  /**
   * Each new password raises this number. So even a login with the old password at the same moment gets no
   * valid token.
   */
  generation: number;
}

/** Makes functions that sign and verify dashboard tokens (JWT, HS256 and no other algorithm). */
export function createTokens(secrets: JwtSecretKeeper, clock: Clock) {
  const verifyBy = async (token: string, secret: string) => {
    type Claims = { generation?: unknown; session_id?: unknown };
    const requiredClaims = ['sub', 'exp'];
    const options = { algorithms: ['HS256'], requiredClaims, currentDate: clock() };
    return (await jwtVerify<Claims>(token, toKey(secret), options)).payload;
  };

  const verifyByRetired = async (token: string, retired: RetiredSecret) => {
    const payload = await verifyBy(token, retired.secret);
    const { iat = 0, exp = Infinity } = payload;
    if (!isSignedInTime(retired, iat) || exp - iat > LIFETIME_SECONDS) {
      throw new Error('Signed by a retired secret');
    }
    return payload;
  };

  /** Tries the current secret first, and a retired one only after a wrong signature. */
  const verifyByAny = async (token: string) => {
    const { current, retired } = secrets.get();
    const attempts = [
      () => verifyBy(token, current),
      ...retired.map((secret) => () => verifyByRetired(token, secret)),
    ];
    let failure: unknown;
    for (const attempt of attempts) {
      try {
        return await attempt();
      } catch (error) {
        if (!isWrongSignature(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  };

  return {
    /** @param ends_at When the token ends; null: after the usual time. */
    sign({ account_id, ...claims }: TokenClaims, ends_at: Date | null = null): Promise<string> {
      const now = clock();
      const issued_at = Math.floor(now.getTime() / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(account_id)
        .setIssuedAt(issued_at)
        .setExpirationTime(ends_at ?? issued_at + LIFETIME_SECONDS)
        .sign(toKey(chooseSigningSecret(secrets.get(), now)));
    },
    /** @throws ApiError 401 `Token expired` or `Invalid token`. */
    async verify(token: string): Promise<TokenClaims> {
      try {
        // Tokens that were signed before sessions were introduced have no session id. For each account,
        // migration 0016 made a session whose id is the account's id.
        const { sub = '', generation, session_id = sub } = await verifyByAny(token);
        if (!isUuid(sub) || typeof session_id !== 'string' || !isUuid(session_id)) {
          throw new Error('Wrong ids');
        }
        if (!Number.isSafeInteger(generation)) throw new Error('Wrong generation');
        return { account_id: sub, session_id, generation: generation as number };
      } catch (cause) {
        const expired = cause instanceof JWTExpired;
        throw new ApiError(401, expired ? 'Token expired' : 'Invalid token', {}, { cause });
      }
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;

const toKey = (secret: string) => new TextEncoder().encode(secret);

const isWrongSignature = (error: unknown) => error instanceof JWSSignatureVerificationFailed;
