import { errors, jwtVerify, SignJWT } from 'jose';
import { isUuid } from '../http/validation.ts';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';

/** How long a dashboard token is valid. */
export const TOKEN_LIFETIME_DAYS = 7;

/** What a token says: the account, and the generation of its sessions. */
export interface TokenClaims {
  account_id: string;
  /** Tokens of an earlier generation than the account's are void: a password reset raises it. */
  generation: number;
}

export interface Tokens {
  sign(claims: TokenClaims): Promise<string>;
  /** @throws ApiError 401 `Token expired` or `Invalid token`. */
  verify(token: string): Promise<TokenClaims>;
}

/** Signs and verifies dashboard tokens (JWT, HS256 and no other algorithm). */
export function createTokens(secret: string, clock: Clock): Tokens {
  const key = new TextEncoder().encode(secret);
  return {
    sign({ account_id, generation }) {
      const issued_at = Math.floor(clock().getTime() / 1000);
      return new SignJWT({ generation })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(account_id)
        .setIssuedAt(issued_at)
        .setExpirationTime(issued_at + TOKEN_LIFETIME_DAYS * 24 * 3600)
        .sign(key);
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify<{ generation?: unknown }>(token, key, {
          algorithms: ['HS256'],
          requiredClaims: ['sub', 'exp'],
          currentDate: clock(),
        });
        const { sub = '', generation } = payload;
        if (!isUuid(sub) || !Number.isSafeInteger(generation)) throw new Error('Wrong claims');
        return { account_id: sub, generation: generation as number };
      } catch (cause) {
        const expired = cause instanceof errors.JWTExpired;
        throw new ApiError(401, expired ? 'Token expired' : 'Invalid token', {}, { cause });
      }
    },
  };
}
