import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { findNameProblem } from '@overworld/contract/names';
import { JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { ApiError } from '../../../platform/errors.ts';
import { isName } from '../../../platform/login-providers/subject.ts';
import { hashToken } from '../identity.ts';
import type { Proof } from '../identity.ts';
import { findAlgorithms } from './provider-settings.ts';
import type { LoginProvider } from './provider-store.ts';

const MAX_LIFETIME_S = 24 * 3600;
/** The seconds by which the clocks of this server and of the studio's server may differ. */
const TOLERANCE_S = 60;

/** Caches the key of each provider, because reading a key from its PEM takes 50 µs. */
const keys = new WeakMap<LoginProvider, { key: KeyObject | Uint8Array; algorithms: string[] }>();

function keyOf(provider: LoginProvider) {
  const known = keys.get(provider);
  if (known !== undefined) return known;
  const { public_key, secret } = provider;
  if (public_key === null && secret === null) {
    throw new ApiError(503, 'The secret of custom logins cannot be read: register it again');
  }
  const key = public_key === null ? new TextEncoder().encode(secret!) : createPublicKey(public_key);
  const algorithms = key instanceof Uint8Array ? ['HS256'] : findAlgorithms(key);
  keys.set(provider, { key, algorithms });
  return { key, algorithms };
}

/** Checks a JWT of the studio's own server. @throws ApiError 401 when it is not valid. */
export async function proveCustom(provider: LoginProvider, token: string): Promise<Proof> {
  const { key, algorithms } = keyOf(provider);
  const { payload } = await jwtVerify<{ player_id?: unknown }>(token, key, {
    algorithms,
    requiredClaims: ['sub', 'exp'],
    clockTolerance: TOLERANCE_S,
  }).catch((cause: unknown) => {
    throw new ApiError(401, describeFailure(cause), {}, { cause });
  });
  const { sub, exp = 0, player_id = null } = payload;
  if (exp > Date.now() / 1000 + MAX_LIFETIME_S + TOLERANCE_S) {
    throw new ApiError(401, 'The login token lives for more than 24 hours');
  }
  if (!isName(sub)) throw new ApiError(401, 'sub of the login token must have 1 to 255 characters');
  if (player_id !== null && !isName(player_id)) {
    throw new ApiError(401, 'player_id of the login token must have 1 to 255 characters');
  }
  const problem = player_id === null ? null : findNameProblem(player_id);
  if (problem !== null) throw new ApiError(401, `player_id of the login token ${problem}`);
  return {
    provider: 'custom',
    issuer: '',
    subject: sub,
    secret_hash: null,
    token_hash: hashToken(token),
    token_expires_ms: (exp + TOLERANCE_S) * 1000,
    vouched_player_id: player_id,
  };
}

/**
 * Says why a token was refused. Claims are checked after the signature,
 * so only the studio's own server learns about errors in its claims.
 */
function describeFailure(cause: unknown): string {
  if (cause instanceof JWTExpired) return 'Login token expired';
  if (cause instanceof JWTClaimValidationFailed && cause.reason === 'missing') {
    return `${cause.claim} of the login token is missing`;
  }
  return 'Invalid login token';
}
