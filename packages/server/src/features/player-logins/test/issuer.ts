import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { SignJWT } from 'jose/jwt/sign';
import type { JWTPayload } from 'jose';

/** A function that answers in place of the issuer. */
export type Answer = (request: IncomingMessage, answer: ServerResponse) => void;

/** An OpenID Connect issuer on this machine. */
export interface TestIssuer {
  /** The issuer's URL, as in the claim `iss`. */
  url: string;
  /** The paths that were requested, in order. */
  asked: string[];
  /** Signs an ID token; a member of `claims` that is undefined is left out. */
  sign(claims?: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Replaces the key. Later tokens are signed with the new one. */
  rotateKey(): Promise<void>;
  /** The public key, as the issuer shows it. */
  showKey(): object;
  /** Lets this function answer all requests; with undefined, the issuer gives the right answers. */
  answerBy(answer: Answer | undefined): void;
  close(): Promise<void>;
}

export const AUDIENCE = 'client-of-the-game';

export async function startIssuer(): Promise<TestIssuer> {
  let keys = await generateKeyPair('RS256');
  let kid = 1;
  let shown = {};
  const show = async () => {
    shown = { ...(await exportJWK(keys.publicKey)), kid: `key-${kid}`, alg: 'RS256', use: 'sig' };
  };
  await show();
  let replaced: Answer | undefined;
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url!);
    if (replaced) return replaced(request, answer);
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    const body = isDiscovery
      ? { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }
      : { keys: [shown] };
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sign(claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const all = {
        iss: issuer.url,
        aud: AUDIENCE,
        sub: 'somebody',
        iat: now,
        exp: now + 600,
        ...claims,
      };
      return new SignJWT(all)
        .setProtectedHeader({ alg: 'RS256', kid: `key-${kid}`, ...header })
        .sign(keys.privateKey);
    },
    async rotateKey() {
      keys = await generateKeyPair('RS256');
      kid += 1;
      await show();
    },
    showKey: () => shown,
    answerBy(answer) {
      replaced = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}
