import { createHash, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import * as x509 from '@peculiar/x509';
import type { CreationOptions } from './authenticator.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** The certificate extension in which Android describes a key. */
const KEY_DESCRIPTION = '1.3.6.1.4.1.11129.2.1.17';

const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/**
 * Makes a passkey with an Android attestation that nobody asked for. Its chain of certificates ends at the
 * sender's own root, and one certificate names the URL of a revocation list.
 */
export async function createAttested(
  { challenge, rp }: CreationOptions,
  origin: string,
  revocation_url: string,
): Promise<object> {
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin }));
  const [rootKeys, keys] = [await makeKeys(), await makeKeys()];
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Root',
    keys: rootKeys,
    signingAlgorithm: ALGORITHM,
  });
  // DER: version 3 and security level 1 twice, the challenge, and three empty fields.
  const description = Buffer.concat([
    Buffer.from('30340201030a01010201030a01010420', 'hex'),
    sha256(client),
    Buffer.from('040030003000', 'hex'),
  ]);
  const leaf = await x509.X509CertificateGenerator.create({
    subject: 'CN=Key',
    issuer: root.subject,
    signingKey: rootKeys.privateKey,
    publicKey: keys.publicKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.Extension(KEY_DESCRIPTION, false, description),
      new x509.CRLDistributionPointsExtension([revocation_url]),
    ],
  });

  const { x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ]),
  );
  const credential_id = randomBytes(32);
  // The flags say that the user is present and that a credential follows. After them come
  // a count of 0, no model of the device, and the length of the id, which is 32 bytes.
  const head = Buffer.concat([Buffer.from([0x41]), Buffer.alloc(20), Buffer.from([0, 32])]);
  const data = Buffer.concat([sha256(rp.id), head, credential_id, cose]);
  const attestation = isoCBOR.encode(
    new Map<string, unknown>([
      ['fmt', 'android-key'],
      [
        'attStmt',
        new Map<string, unknown>([
          ['alg', -7],
          ['sig', new Uint8Array(64)],
          ['x5c', [leaf, root].map(({ rawData }) => new Uint8Array(rawData))],
        ]),
      ],
      ['authData', new Uint8Array(data)],
    ]) as Parameters<typeof isoCBOR.encode>[0],
  );
  const id = toText(credential_id);
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON: toText(client), attestationObject: toText(attestation) },
    clientExtensionResults: {},
  };
}
