import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { putLoginProvider } from '@overworld/contract/players/logins-dashboard';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../../platform/errors.ts';
import type { ProviderSettings } from './provider-store.ts';

type Sent = BodyOf<typeof putLoginProvider>;

const NAME = /^[a-z0-9][a-z0-9_-]*$/;
const PUBLIC_PEM = /^\s*-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----\s*$/;

/** The settings of a provider, and its secret, or null if none was sent. */
export interface SentProvider {
  settings: ProviderSettings;
  secret: string | null;
}

/**
 * Checks the settings that were sent for a provider.
 * @param allow_private True if issuers may be in the network of the installation, and without TLS.
 * @throws ApiError 400 when a setting is wrong or missing.
 */
export function readProvider(provider: string, sent: Sent, allow_private: boolean): SentProvider {
  const settings: ProviderSettings = {
    kind: 'oidc',
    public_key: null,
    app_id: null,
    identity: null,
    issuer: null,
    audiences: [],
    jwks_url: null,
  };
  if (provider === 'device') throw badRequest('device needs no registration: every game has it');
  if (provider === 'custom') {
    const { public_key = null, secret = null } = sent;
    if (public_key !== null && secret !== null) {
      throw badRequest('Either secret or public_key must be given, not both');
    }
    if (public_key !== null) findAlgorithms(readPublicKey(public_key));
    return { settings: { ...settings, kind: 'custom', public_key }, secret };
  }
  if (provider === 'steam') {
    const app_id = required(sent, 'app_id');
    if (!/^\d+$/.test(app_id)) throw badRequest('app_id must be digits');
    const { identity = null, web_api_key: secret = null } = sent;
    return { settings: { ...settings, kind: 'steam', app_id, identity }, secret };
  }
  if (!NAME.test(provider)) {
    throw badRequest('provider must be small letters, digits, - and _');
  }
  const issuer = readAddress('issuer', required(sent, 'issuer'), allow_private);
  const { audiences } = sent;
  if (audiences === undefined) throw badRequest('audiences is required');
  const jwks_url =
    sent.jwks_url === undefined ? null : readAddress('jwks_url', sent.jwks_url, allow_private);
  return { settings: { ...settings, issuer, audiences, jwks_url }, secret: null };
}

function required<Name extends keyof Sent>(sent: Sent, name: Name): NonNullable<Sent[Name]> {
  const value = sent[name];
  if (value === undefined) throw badRequest(`${name} is required`);
  return value as NonNullable<Sent[Name]>;
}

function readAddress(name: string, text: string, allow_private: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const protocols = allow_private ? ['https:', 'http:'] : ['https:'];
  if (url === null || !protocols.includes(url.protocol) || !/^[!-~]+$/.test(text)) {
    throw badRequest(`${name} must be an address that begins with https://`);
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw badRequest(`${name} must have no user name, password or fragment`);
  }
  return text;
}

/** @throws ApiError 400 when the text is no public key in PEM. */
function readPublicKey(pem: string): KeyObject {
  try {
    // If the text also had a private key, the dashboard would show it with the settings.
    if (!PUBLIC_PEM.test(pem)) throw new Error('Not a public key alone');
    return createPublicKey(pem);
  } catch (cause) {
    throw Object.assign(
      badRequest('public_key must be PEM that begins with -----BEGIN PUBLIC KEY-----'),
      { cause },
    );
  }
}

const CURVES: Record<string, string> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** Finds the algorithms of a public key. @throws ApiError 400 for a key that fits none of them. */
export function findAlgorithms(key: KeyObject): string[] {
  const { namedCurve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const curve = CURVES[namedCurve];
  if (key.asymmetricKeyType === 'ed25519') return ['EdDSA', 'Ed25519'];
  if (key.asymmetricKeyType === 'ec' && curve !== undefined) return [curve];
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= 2_048 && modulusLength <= 8_192) {
    return ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
  }
  throw badRequest('public_key must be RSA of 2048 to 8192 bits, P-256, P-384, P-521 or Ed25519');
}
