import { hash } from 'node:crypto';
import { ApiError } from '../../../platform/errors.ts';
import { rememberedUntil, verifyIdToken } from '../../../platform/login-providers/id-token.ts';
import { createIssuers } from '../../../platform/login-providers/issuers.ts';
import type { ProviderCalls } from '../../../platform/login-providers/provider-calls.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { hashToken } from '../identity.ts';
import type { Proof } from '../identity.ts';
import type { LoginProvider } from './provider-store.ts';

/** Checks ID tokens of OpenID Connect issuers. */
export type OidcProver = (
  tenant: Tenant,
  provider: LoginProvider,
  id_token: string,
  nonce: string | undefined,
) => Promise<Proof>;

export function createOidcProver(calls: ProviderCalls): OidcProver {
  const issuers = createIssuers();
  return async ({ game_id, environment }, settings, id_token, nonce) => {
    const { provider, jwks_url, audiences } = settings;
    const issuer = settings.issuer!;
    const name = `${environment} ${issuer} ${jwks_url ?? ''}`;
    return calls.run(game_id, name, async (fetch) => {
      const keys = issuers.keysOf({ issuer, jwks_url }, fetch);
      const claims = await verifyIdToken<{ nonce?: unknown }>(id_token, keys, {
        issuer,
        audiences,
        audience_name: 'game',
      });
      checkNonce(claims.nonce, nonce);
      return {
        provider,
        issuer,
        subject: claims.sub,
        secret_hash: null,
        token_hash: hashToken(id_token),
        token_expires_ms: rememberedUntil(claims),
        vouched_player_id: null,
      };
    });
  };
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
