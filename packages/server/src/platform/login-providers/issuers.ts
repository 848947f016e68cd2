import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import type { RemoteJWKSet } from 'jose/jwks/remote';
import type { JWTVerifyGetKey } from 'jose/jwt/verify';
import { unavailable } from '../errors.ts';
import type { ProviderFetch } from './provider-calls.ts';

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
interface KnownIssuer {
  /** The keys, loaded from the URL in the settings, or from the URL in the issuer's discovery document. */
  keys: Promise<RemoteJWKSet> | null;
  /** The function that loads the keys. It belongs to the last login that needed the keys. */
  fetch: ProviderFetch;
}

/** An OpenID Connect issuer. */
export interface Issuer {
  /** Its URL, as in the claim `iss`. */
  issuer: string;
  /** The URL of its keys; null: its discovery document names them. */
  jwks_url: string | null;
}

/** Makes a memory of the keys of issuers, with which ID tokens are checked. */
export function createIssuers() {
  const issuers = new Map<string, KnownIssuer>();

  const findIssuer = (name: string, fetch: ProviderFetch): KnownIssuer => {
    const issuer = issuers.get(name) ?? { keys: null, fetch };
    issuer.fetch = fetch;
    issuers.delete(name);
    if (issuers.size >= MAX_ISSUERS) issuers.delete(issuers.keys().next().value!);
    issuers.set(name, issuer);
    return issuer;
  };

  const openKeys = async (
    known: KnownIssuer,
    { issuer, jwks_url }: Issuer,
  ): Promise<RemoteJWKSet> => {
    const url = jwks_url ?? (await discover(issuer, known.fetch)).jwks_uri;
    return createRemoteJWKSet(new URL(url), {
      cacheMaxAge: KEYS_VALID_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      [customFetch]: async (address) => {
        const { status, text } = await known.fetch(new URL(address));
        return new Response(text, { status });
      },
    });
  };

  return {
    /**
     * Makes the function that finds the key of a token.
     * @param fetch Loads the keys and the discovery document, when they are not known or too old.
     * @throws IssuerFailed when the issuer gives no usable keys.
     */
    keysOf:
      (issuer: Issuer, fetch: ProviderFetch): JWTVerifyGetKey =>
      async (header, token) => {
        const known = findIssuer(`${issuer.issuer} ${issuer.jwks_url ?? ''}`, fetch);
        try {
          known.keys ??= openKeys(known, issuer);
          return await (
            await known.keys
          )(header, token);
        } catch (error) {
          if (error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys) {
            throw error;
          }
          const keys = await known.keys?.catch(() => null);
          // Callers can invent key ids, and the server then tries to load the keys again. If that fails,
          // the known keys are kept, so that these callers do not block the issuer.
          if (keys?.fresh === true) throw unavailable('The keys of the issuer cannot be read now');
          known.keys = null;
          throw new IssuerFailed(error);
        }
      },
  };
}

/** Thrown when an issuer gave no usable answer. */
export class IssuerFailed extends Error {
  constructor(cause: unknown) {
    super('The issuer gave no usable keys', { cause });
  }
}

/** An issuer's discovery document. Only the members with a type here were checked. */
export interface Discovered {
  jwks_uri: string;
  authorization_endpoint?: unknown;
  token_endpoint?: unknown;
  userinfo_endpoint?: unknown;
  token_endpoint_auth_methods_supported?: unknown;
}

/**
 * Reads the discovery document of an issuer.
 * @throws Error when there is none, or when it names another issuer or no keys. The keys must have an https
 * address, unless the issuer has none either.
 */
export async function discover(issuer: string, fetch: ProviderFetch): Promise<Discovered> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { status, text } = await fetch(new URL(address));
  if (status !== 200) throw new Error(`The issuer answered ${status}`);
  const found = JSON.parse(text) as (Partial<Discovered> & { issuer?: unknown }) | null;
  if (found?.issuer !== issuer || typeof found.jwks_uri !== 'string') {
    throw new Error('The document of the issuer names another issuer, or no keys');
  }
  if (!isAsSafe(found.jwks_uri, issuer)) {
    throw new Error('The keys of the issuer have no https address');
  }
  return { ...found, jwks_uri: found.jwks_uri };
}

/** Tells whether an address that an issuer names has TLS, unless the issuer has none either. */
export function isAsSafe(address: string, issuer: string): boolean {
  const { protocol } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && new URL(issuer).protocol === 'http:');
}
