import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import { makeAuthenticator } from './authenticator.ts';
import type { Authenticator } from './authenticator.ts';

const STEP_MS = 30_000;
const FACTORS = '/v1/auth/second-factors';

/** A server whose clock a test can move, with calls about second factors. */
export interface FactorStage {
  server: TestServer;
  /** The origin of a page where passkeys work. */
  origin: string;
  /** Moves the server's clock forward by this many half minutes. A code is valid for one half minute. */
  passSteps(count: number): void;
  /** Calls an operation that changes the account's second factors. The body has the account's password. */
  change(account: TestAccount, path: string, body?: object): ReturnType<TestServer['request']>;
  logIn(account: TestAccount, password?: string): ReturnType<TestServer['request']>;
  /** Logs in with the right password. Resolves to the challenge. */
  challenge(account: TestAccount): Promise<string>;
  finish(body: object): ReturnType<TestServer['request']>;
  setUpTotp(account: TestAccount): Promise<{ app: App; recovery_codes: string[] | null }>;
  addPasskey(account: TestAccount, name?: string): Promise<Authenticator>;
}

/** An authenticator app. */
export interface App {
  secret: string;
  /** Returns the code that the app shows now, or `steps` half minutes later. */
  code(steps?: number): string;
  /** Returns a code that is wrong now and in the neighbouring minutes. */
  wrongCode(): string;
}

export async function openFactorStage(
  env: Record<string, string> = {},
  database_url?: string,
): Promise<FactorStage> {
  let offset_ms = 0;
  const clock = () => new Date(Date.now() + offset_ms);
  const server = await startTestServer({
    env: { TRUST_PROXY: 'true', ...env },
    clock,
    database_url,
  });
  const origin = server.url.replace('127.0.0.1', 'localhost');
  // The headers that a browser sends for a page of this server, which the browser reaches as localhost.
  const page = { origin, 'sec-fetch-site': 'same-origin' };
  let addresses = 0;

  const makeApp = (secret: string): App => {
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = (steps = 0) => totp.generate({ timestamp: clock().getTime() + steps * STEP_MS });
    return {
      secret,
      code,
      wrongCode() {
        const near = [-2, -1, 0, 1, 2].map(code);
        const candidates = Array.from({ length: 6 }, (_, index) => String(index).repeat(6));
        return candidates.find((candidate) => !near.includes(candidate))!;
      },
    };
  };

  const stage: FactorStage = {
    server,
    origin,
    passSteps(count) {
      offset_ms += count * STEP_MS;
    },
    change: ({ token, password }, path, body = {}) =>
      server.request('POST', FACTORS + path, {
        token,
        body: { password, ...body },
        headers: page,
      }),
    logIn: ({ email, password }, given = password) =>
      server.request('POST', '/v1/auth/login', {
        body: { email, password: given },
        // Each call has its own IP address, because failures are limited by IP address.
        headers: { ...page, 'x-forwarded-for': `10.7.${addresses >> 8}.${addresses++ & 255}` },
      }),
    async challenge(account) {
      const { status, body } = await stage.logIn(account);
      assert.equal(status, 401, JSON.stringify(body));
      return body.challenge;
    },
    finish: (body) =>
      server.request('POST', '/v1/auth/login/second-factor', {
        body,
        headers: { ...page, 'x-forwarded-for': `10.8.${addresses >> 8}.${addresses++ & 255}` },
      }),
    async setUpTotp(account) {
      const begun = await stage.change(account, '/totp');
      assert.equal(begun.status, 200, begun.text);
      const { challenge, secret } = begun.body;
      const app = makeApp(secret);
      const confirmed = await stage.change(account, '/totp/confirm', {
        challenge,
        code: app.code(),
        password: undefined,
      });
      assert.equal(confirmed.status, 200, confirmed.text);
      stage.passSteps(1);
      return { app, recovery_codes: confirmed.body.recovery_codes };
    },
    async addPasskey(account, name = 'Key') {
      const { body, status, text } = await stage.change(account, '/passkeys/options');
      assert.equal(status, 200, text);
      const authenticator = makeAuthenticator(origin);
      const credential = authenticator.create(body.options);
      const added = await stage.change(account, '/passkeys', {
        challenge: body.challenge,
        name,
        credential,
        password: undefined,
      });
      assert.equal(added.status, 201, added.text);
      return authenticator;
    },
  };
  return stage;
}
