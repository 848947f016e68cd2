import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Credential } from './passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded when a passkey is first used: it takes 0.1 s, which most servers never need. */
const library = () => import('@simplewebauthn/server');

/**
 * EdDSA, ES256 and RS256: all that authenticators offer. The library's own list begins with ML-DSA
 * where Node has it, which there is experimental.
 */
const ALGORITHMS = [-8, -7, -257];
/** As long as the challenge lives. */
const TIMEOUT_MS = 300_000;

type Account = { id: string; email: string };

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

const transportsOf = (transports: string[]) =>
  transports as NonNullable<RegistrationResponseJSON['response']['transports']>;

/** What the browser needs to make a passkey. */
export async function creationOptions(
  account: Account,
  { rp_id }: RelyingParty,
  challenge: string,
  existing: Credential[],
): Promise<object> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Overworld',
    rpID: rp_id,
    userID: new TextEncoder().encode(account.id),
    userName: account.email,
    challenge: bytesOf(challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: TIMEOUT_MS,
    excludeCredentials: existing.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transportsOf(transports),
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * Whether an attestation brings no certificates, as was asked for: none at all, or the passkey's own
 * signature. The library asks each address that a certificate names, whoever has signed it.
 */
async function isWithoutCertificates(attestation: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(bytesOf(attestation));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && !decoded.get('attStmt').get('x5c'));
}

/** The passkey that the browser has made; null when it is not what was asked for. */
export async function readCreation(
  given: unknown,
  { rp_id, origin }: RelyingParty,
  challenge: string,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await library();
  const response = given as RegistrationResponseJSON;
  try {
    if (!(await isWithoutCertificates(response.response.attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credential_id: id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      sign_count: counter,
      transports: readTransports(response.response.transports),
    };
  } catch {
    // The library throws at whatever is not right; it is all from the caller.
    return null;
  }
}

/** Hints by which browsers find the authenticator again; the list of them grows. */
function readTransports(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  return given
    .filter((name) => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name))
    .slice(0, 8);
}

/** What the browser needs to answer by one of the passkeys. */
export async function requestOptions(
  { rp_id }: RelyingParty,
  challenge: string,
  credentials: Credential[],
): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rp_id,
    challenge: bytesOf(challenge),
    allowCredentials: credentials.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transportsOf(transports),
    })),
    userVerification: 'preferred',
    timeout: TIMEOUT_MS,
  });
}

/**
 * The passkey's new count of signatures, when the answer is by it; null when it is not, or the count
 * did not rise as it must: then there is a copy of the passkey.
 */
export async function verifyAnswer(
  given: unknown,
  { rp_id, origin }: RelyingParty,
  challenge: string,
  { credential_id, public_key, sign_count }: Credential,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      credential: { id: credential_id, publicKey: bytesOf(public_key), counter: sign_count },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
