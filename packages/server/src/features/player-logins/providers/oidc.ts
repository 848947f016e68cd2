import { hash } from 'node:crypto';
import {
  JWKSMultipleMatchingKeys,
  JWKSNoMatchingKey,
  JWTClaimValidationFailed,
  JWTExpired,
} from 'jose/errors';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import type { RemoteJWKSet } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import type { JWTVerifyGetKey } from 'jose/jwt/verify';
import { ApiError, unavailable } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { hashToken } from '../identity.ts';
import type { Proof } from '../identity.ts';
import type { ProviderCalls, ProviderFetch } from './provider-calls.ts';
import type { LoginProvider } from './provider-store.ts';
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
/** The server keeps the keys of at most this many issuers in memory. */
const MAX_ISSUERS = 1_000;
/** Keys are loaded again after this time. */
const KEYS_VALID_MS = 600_000;
/**
 * When a token names an unknown key, the keys are loaded again, but only if the last load was at least
 * this long ago.
 */
const KEYS_COOLDOWN_MS = 30_000;

/** The keys of one issuer. Logins that need the keys at the same time share one request. */
interface Issuer {
  /** The keys, loaded from the URL in the settings, or from the URL in the issuer's discovery document. */
  keys: Promise<RemoteJWKSet> | null;
  /** The function that loads the keys. It belongs to the last login that needed the keys. */
  fetch: ProviderFetch;
}

/** Checks ID tokens of OpenID Connect issuers. */
export type OidcProver = (
  tenant: Tenant,
  provider: LoginProvider,
  id_token: string,
  nonce: string | undefined,
) => Promise<Proof>;

export function createOidcProver(calls: ProviderCalls): OidcProver {
  const issuers = new Map<string, Issuer>();

  const findIssuer = (name: string, fetch: ProviderFetch): Issuer => {
    const issuer = issuers.get(name) ?? { keys: null, fetch };
    issuer.fetch = fetch;
    issuers.delete(name);
    if (issuers.size >= MAX_ISSUERS) issuers.delete(issuers.keys().next().value!);
    issuers.set(name, issuer);
    return issuer;
  };

  const openKeys = async (issuer: Issuer, settings: LoginProvider): Promise<RemoteJWKSet> => {
    const url = settings.jwks_url ?? (await discoverKeys(settings.issuer!, issuer.fetch));
    return createRemoteJWKSet(new URL(url), {
      cacheMaxAge: KEYS_VALID_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      [customFetch]: async (address) => {
        const { status, text } = await issuer.fetch(new URL(address));
        return new Response(text, { status });
      },
    });
  };

  /** @throws IssuerFailed when the issuer gives no usable keys. */
  const keysOf =
    (settings: LoginProvider, fetch: ProviderFetch): JWTVerifyGetKey =>
    async (header, token) => {
      const { issuer: address, jwks_url } = settings;
      const issuer = findIssuer(`${address} ${jwks_url ?? ''}`, fetch);
      try {
        issuer.keys ??= openKeys(issuer, settings);
        return await (
          await issuer.keys
        )(header, token);
      } catch (error) {
        if (error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys) {
          throw error;
        }
        const keys = await issuer.keys?.catch(() => null);
        // Callers can invent key ids, and the server then tries to load the keys again. If that fails,
        // the known keys are kept, so that these callers do not block the issuer.
        if (keys?.fresh === true) throw unavailable('The keys of the issuer cannot be read now');
        issuer.keys = null;
        throw new IssuerFailed(error);
      }
    };

  return async (tenant, provider, id_token, nonce) => {
    const { issuer, jwks_url, audiences } = provider;
    return calls.run(tenant, `${issuer} ${jwks_url ?? ''}`, async (fetch) => {
      const { payload } = await jwtVerify<{ nonce?: unknown }>(id_token, keysOf(provider, fetch), {
        algorithms: ALGORITHMS,
        issuer: issuer!,
        audience: audiences,
        requiredClaims: ['sub', 'exp', 'iat'],
        clockTolerance: TOLERANCE_S,
        maxTokenAge: MAX_LIFETIME_S,
      }).catch(refuse);
      checkNonce(payload.nonce, nonce);
      const { sub, exp = 0 } = payload;
      if (!isName(sub)) throw invalidToken();
      const latest_s = Date.now() / 1000 + MAX_LIFETIME_S + TOLERANCE_S;
      return {
        provider: provider.provider,
        issuer: issuer!,
        subject: sub,
        secret_hash: null,
        token_hash: hashToken(id_token),
        token_expires_ms: (Math.min(exp, latest_s) + TOLERANCE_S) * 1000,
        vouched_player_id: null,
      };
    });
  };
}

/** Thrown when an issuer gave no usable answer. */
class IssuerFailed extends Error {
  constructor(cause: unknown) {
    super('The issuer gave no usable keys', { cause });
  }
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

/** Finds the URL of an issuer's keys. */
async function discoverKeys(issuer: string, fetch: ProviderFetch): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { status, text } = await fetch(new URL(address));
  if (status !== 200) throw new Error(`The issuer answered ${status}`);
  const found = JSON.parse(text) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (found?.issuer !== issuer || typeof found.jwks_uri !== 'string') {
    throw new Error('The document of the issuer names another issuer, or no keys');
  }
  const { protocol } = new URL(found.jwks_uri);
  const isSafe = protocol === 'https:' || new URL(issuer).protocol === 'http:';
  if (!isSafe) throw new Error('The keys of the issuer have no https address');
  return found.jwks_uri;
}

/** A text in the form of a SHA-256, in hexadecimal digits or base64. */
const LOOKS_HASHED = /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i;

/**
 * Checks that the caller knows the nonce, by the claim of an issuer who got the SHA-256 of the nonce or, as
 * OpenID Connect says, the nonce itself. A copied claim that may be a hash is no proof.
 * @throws ApiError 401 when the token was issued for a request other than the caller's.
 */
function checkNonce(claim: unknown, nonce: string | undefined): void {
  if (claim === undefined && nonce === undefined) return;
  if (nonce === undefined) throw new ApiError(401, 'The ID token has a nonce: send nonce, too');
  const hashes: unknown[] = [hash('sha256', nonce, 'hex'), hash('sha256', nonce, 'base64url')];
  if (hashes.includes(claim)) return;
  if (claim !== nonce) throw new ApiError(401, 'The nonce is not that of the ID token');
  if (LOOKS_HASHED.test(nonce)) {
    throw new ApiError(401, 'The nonce looks like a SHA-256: send the text that was hashed');
  }
}
