import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer, TestServerOptions } from '../../../../test/harness.ts';
import { CLIENT, startForgingIssuer } from './forging-issuer.ts';

/** A server whose staff logs in at an issuer that says what the test wants. */
export interface StaffScene extends AsyncDisposable {
  server: TestServer;
  issuer: Awaited<ReturnType<typeof startForgingIssuer>>;
  /** Begins a login, as the button does. */
  begin(): Promise<{ cookie: string; state: string; nonce: string; url: URL }>;
  /** Finishes a login, as the page does to which the provider returns the browser. */
  finish(body: object, cookie: string, headers?: Record<string, string>): Answer;
  /** Logs in with an ID token that the issuer signs with these claims. */
  logIn(claims: JWTPayload): Answer;
  /** Confirms a change in the session of the token, with an ID token with these claims. */
  confirm(token: string, claims: JWTPayload): Answer;
  /** Sets up an authenticator app, confirmed with an ID token with these claims. */
  addTotp(token: string, claims: JWTPayload): Promise<TOTP>;
  /** Sets up an authenticator app, confirmed with a password or a confirmation. */
  addTotpWith(token: string, given: { password: string } | { confirmation: string }): Promise<TOTP>;
  /** Does the second step with the next code of the app. */
  takeSecondStep(challenge: string, app: TOTP): Answer;
}

type Answer = ReturnType<TestServer['request']>;

/** @param settings More settings of the login. OIDC_DOMAINS is `studio.example` without them. */
export async function openStaffScene(
  settings: Record<string, string> = {},
  options: TestServerOptions = {},
): Promise<StaffScene> {
  const issuer = await startForgingIssuer();
  const server = await startTestServer({
    ...options,
    env: {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_DOMAINS: 'studio.example',
      ...settings,
    },
  });

  const begin = async () => {
    const begun = await server.request('POST', '/v1/auth/identity/begin', { body: {} });
    assert.equal(begun.status, 200, begun.text);
    const url = new URL(begun.body.url);
    const { searchParams } = url;
    const cookie = String(begun.headers.get('set-cookie')).split(';')[0]!;
    return { cookie, state: searchParams.get('state')!, nonce: searchParams.get('nonce')!, url };
  };
  const finish = (body: object, cookie: string, headers: Record<string, string> = {}) =>
    server.request('POST', '/v1/auth/identity/finish', {
      body: { code: 'code', ...body },
      headers: { cookie, ...headers },
    });
  const beginWith = async (claims: JWTPayload) => {
    const begun = await begin();
    issuer.answerWith(await issuer.sign({ nonce: begun.nonce, ...claims }));
    return begun;
  };

  const scene: StaffScene = {
    server,
    issuer,
    begin,
    finish,
    async logIn(claims) {
      const { cookie, state } = await beginWith(claims);
      return finish({ state }, cookie);
    },
    async confirm(token, claims) {
      const { cookie, state } = await beginWith(claims);
      const body = { code: 'code', state };
      return server.request('POST', '/v1/auth/identity/confirm', {
        token,
        body,
        headers: { cookie },
      });
    },
    async addTotp(token, claims) {
      const { confirmation } = (await scene.confirm(token, { ...claims, auth_time: now_s() })).body;
      return scene.addTotpWith(token, { confirmation });
    },
    takeSecondStep(challenge, app) {
      // The app has shown the code of now already.
      const code = app.generate({ timestamp: Date.now() + 30_000 });
      return server.request('POST', '/v1/auth/login/second-factor', { body: { challenge, code } });
    },
    async addTotpWith(token, given) {
      const post = async (path: string, body: object) => {
        const answer = await server.request('POST', `/v1/auth/second-factors/${path}`, {
          token,
          body,
        });
        assert.equal(answer.status, 200, answer.text);
        return answer.body;
      };
      const { challenge, secret } = await post('totp', given);
      const app = new TOTP({ secret: Secret.fromBase32(secret) });
      await post('totp/confirm', { challenge, code: app.generate() });
      return app;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await issuer.close();
    },
  };
  return scene;
}

/** The time now as in claims, in seconds since 1970. */
export const now_s = (): number => Math.floor(Date.now() / 1000);

/** Makes the claims of a person whom no installation knows yet. */
export function person() {
  const sub = randomUUID();
  return { sub, email: `${sub}@studio.example`, email_verified: true };
}
