import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Credential } from './passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loads the library at the first use of a passkey. Loading takes 0.1 s, and few servers use passkeys. */
const library = () => import('@simplewebauthn/server');

/**
 * The ids of EdDSA, ES256 and RS256. Every authenticator supports one of them. By default, the library would
 * prefer ML-DSA if Node has it, but ML-DSA is experimental in Node.
 */
const ALGORITHMS = [-8, -7, -257];
/** The lifetime of the challenge. */
const TIMEOUT_MS = 300_000;

type Account = { id: string; email: string };

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

const describeCredential = ({ credential_id, transports }: Credential) => ({
  id: credential_id,
  transports: transports as NonNullable<RegistrationResponseJSON['response']['transports']>,
});

/** Makes the options that a browser needs to create a passkey. */
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
    excludeCredentials: existing.map(describeCredential),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * Tells whether an attestation (the proof of the kind of authenticator) has no certificates. The options ask
 * for none. Without certificates, the attestation is empty or signed by the passkey itself. If there were
 * certificates, the library would send a request to every URL in them.
 */
async function isWithoutCertificates(attestation: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(bytesOf(attestation));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && !decoded.get('attStmt').get('x5c'));
}

/** Reads the passkey that the browser has created. Returns null if it does not fit the options. */
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
    // The library throws an error for every invalid input, and all its input comes from the caller.
    return null;
  }
}

/**
 * Reads the transports, such as `usb`. They help browsers to find the authenticator again. New names may
 * appear in the future.
 */
function readTransports(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  return given
    .filter((name) => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name))
    .slice(0, 8);
}

/** Makes the options that a browser needs to sign the challenge with one of these passkeys. */
export async function requestOptions(
  { rp_id }: RelyingParty,
  challenge: string,
  credentials: Credential[],
): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rp_id,
    challenge: bytesOf(challenge),
    allowCredentials: credentials.map(describeCredential),
    userVerification: 'preferred',
    timeout: TIMEOUT_MS,
  });
}

/**
 * Checks the signature of a passkey. The passkey counts its signatures.
 * @returns the new count; null if the passkey did not make this signature, or if the count did not rise. In
 * the second case, somebody has copied the passkey.
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
