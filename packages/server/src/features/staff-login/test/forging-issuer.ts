import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JWTPayload } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { SignJWT } from 'jose/jwt/sign';

export const CLIENT = 'overworld';

/** An issuer that answers every code with the ID token that a test has put there, and notes what it was sent. */
export async function startForgingIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'ES256', use: 'sig' };
  let next = '';
  let userInfo: object | null = null;
  let refusal: { status: number; body: string } | null = null;
  const asked: string[] = [];
  const exchanges: { form: URLSearchParams; authorization: string | undefined }[] = [];
  const server = createServer((request, answer) => {
    answer.setHeader('content-type', 'application/json');
    const bodies: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer: issuer.url,
        jwks_uri: `${issuer.url}/keys`,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        ...(userInfo && { userinfo_endpoint: `${issuer.url}/userinfo` }),
      },
      '/keys': { keys: [key] },
      '/token': { access_token: 'of this login', token_type: 'Bearer', id_token: next },
    };
    const { authorization } = request.headers;
    if (authorization === 'Bearer of this login' && userInfo) bodies['/userinfo'] = userInfo;
    asked.push(request.url!);
    void text(request).then((sent) => {
      if (request.url === '/token') {
        exchanges.push({ form: new URLSearchParams(sent), authorization });
        if (refusal !== null) {
          answer.statusCode = refusal.status;
          return answer.end(refusal.body);
        }
      }
      answer.end(JSON.stringify(bodies[request.url!] ?? {}));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicKey,
    privateKey,
    /** Signs an ID token. A member that is undefined is left out. */
    sign(claims: JWTPayload, signer: typeof privateKey = privateKey) {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({
        iss: issuer.url,
        aud: CLIENT,
        sub: 'mira',
        iat: now,
        exp: now + 300,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'key' })
        .sign(signer);
    },
    answerWith(id_token: string) {
      next = id_token;
    },
    /** Answers every code with this status and body; with null, answers codes again. */
    refuseCodes(answered: { status: number; body: string } | null) {
      refusal = answered;
    },
    /** Gives these claims at a UserInfo endpoint, from before the first login on. */
    giveUserInfo(claims: object) {
      userInfo = claims;
    },
    /** The requests for tokens. */
    exchanges,
    /** The paths of all requests. */
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}
