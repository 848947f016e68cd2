import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** A software authenticator. It has one passkey (ES256), and signs its answers with this passkey. */
export interface Authenticator {
  readonly id: string;
  /** The count of signatures in the last answer. */
  sign_count: number;
  /** Makes the same JSON as `toJSON()` of a credential from `navigator.credentials.create(options)`. */
  create(options: CreationOptions): object;
  /** Makes the same JSON as `toJSON()` of a credential from `navigator.credentials.get(options)`. */
  get(options: RequestOptions, changes?: { origin?: string; challenge?: string }): object;
}

export interface CreationOptions {
  challenge: string;
  rp: { id: string };
}
export interface RequestOptions {
  challenge: string;
  rpId: string;
}

const USER_PRESENT = 0x01;
const CREDENTIAL_INCLUDED = 0x40;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

export function makeAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const credential_id = randomBytes(32);
  const id = toText(credential_id);

  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  const authenticatorData = (rp_id: string, flags: number, sign_count: number) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(sign_count, 1);
    return Buffer.concat([sha256(rp_id), head]);
  };

  const credentialOf = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });

  const authenticator: Authenticator = {
    id,
    sign_count: 0,
    create({ challenge, rp }) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential_id.length);
      // COSE: an elliptic curve key for ES256 on P-256.
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
        ]),
      );
      const data = Buffer.concat([
        authenticatorData(rp.id, USER_PRESENT | CREDENTIAL_INCLUDED, authenticator.sign_count),
        Buffer.alloc(16),
        length,
        credential_id,
        cose,
      ]);
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(data)],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      return credentialOf({
        clientDataJSON: toText(clientData('webauthn.create', challenge, origin)),
        attestationObject: toText(attestation),
        transports: ['internal'],
      });
    },
    get({ challenge, rpId }, changes = {}) {
      authenticator.sign_count++;
      const data = authenticatorData(rpId, USER_PRESENT, authenticator.sign_count);
      const client = clientData(
        'webauthn.get',
        changes.challenge ?? challenge,
        changes.origin ?? origin,
      );
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return credentialOf({
        clientDataJSON: toText(client),
        authenticatorData: toText(data),
        signature: toText(signature),
      });
    },
  };
  return authenticator;
}
