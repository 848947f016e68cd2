import type { logInPlayer } from '@overworld/contract/players/logins';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest, notFound } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { hashSecret } from '../identity.ts';
import type { Proof } from '../identity.ts';
import { proveCustom } from './custom.ts';
import type { OidcProver } from './oidc.ts';
import type { LoginProvider } from './provider-store.ts';

/** The fields of a login request that prove the identity of the caller. */
export type Credentials = Omit<BodyOf<typeof logInPlayer>, 'player_id'>;

/**
 * Returns the proof of a device: its id and the hash of its secret.
 * @throws ApiError 400 when the id or the secret is missing.
 */
export const proveDevice = (credentials: Pick<Credentials, 'device_id' | 'secret'>): Proof => ({
  provider: 'device',
  issuer: '',
  subject: required(credentials, 'device_id'),
  secret_hash: hashSecret(required(credentials, 'secret')),
  token_hash: null,
  token_expires_ms: 0,
  vouched_player_id: null,
});

/** Makes the prover, which checks the credentials of all login providers. */
export function createProver(services: {
  findProvider: (tenant: Tenant, provider: string) => Promise<LoginProvider | undefined>;
  proveSteam: (tenant: Tenant, provider: LoginProvider, ticket: string) => Promise<Proof>;
  proveOidc: OidcProver;
}) {
  const { findProvider, proveSteam, proveOidc } = services;

  const proveElsewhere = async (tenant: Tenant, credentials: Credentials): Promise<Proof> => {
    const provider = await findProvider(tenant, credentials.provider);
    if (provider === undefined) throw notFound('Login provider not found');
    switch (provider.kind) {
      case 'custom':
        return proveCustom(provider, required(credentials, 'token'));
      case 'steam':
        return proveSteam(tenant, provider, required(credentials, 'ticket'));
      default:
        return proveOidc(tenant, provider, required(credentials, 'id_token'), credentials.nonce);
    }
  };

  return {
    /**
     * Checks the identity of the caller. The secret of a device
     * is compared later, when the stored identity is read.
     * @throws ApiError 400 for missing fields, 401 for a wrong proof, 404 for a
     * provider that the game lacks, 503 for a provider that cannot be reached.
     */
    prove: (tenant: Tenant, credentials: Credentials): Proof | Promise<Proof> =>
      credentials.provider === 'device'
        ? proveDevice(credentials)
        : proveElsewhere(tenant, credentials),
  };
}

function required<Name extends keyof Credentials>(
  sent: Pick<Credentials, Name>,
  name: Name,
): string {
  const value = sent[name];
  if (value === undefined) throw badRequest(`${name} is required`);
  return value;
}
