import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { startTestServer } from '../../../../../test/harness.ts';
import type { TestServer } from '../../../../../test/harness.ts';
import type { TestAccount } from '../../../../../test/test-account.ts';
import type { TestAnswer } from '../../../../../test/test-request.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A browser that has logged in once. */
interface TestBrowser {
  cookie: string;
  token: string;
}

export interface LoginOptions {
  cookie?: string;
  /** Default: an address that nobody has used. */
  address?: string;
  /** Default: the first server. */
  on?: TestServer;
}

/** Two servers on one database, the second one behind TLS. Both run when the tests begin. */
interface DeviceLogins {
  servers: [TestServer, TestServer];
  logIn(email: string, password: string, options?: LoginOptions): Promise<TestAnswer>;
  makeBrowser(account: TestAccount, cookie?: string): Promise<TestBrowser>;
  /** Lists the known browsers of an account, as the dashboard shows them. */
  listDevices(token: string, cookie?: string): Promise<TestAnswer['body']>;
  /** Sends five wrong passwords from unknown browsers. */
  lock(account: TestAccount): Promise<void>;
}

/** Starts the servers before the tests of a file, and stops them afterwards. */
export function useDeviceLogins(): DeviceLogins {
  const servers = [] as unknown as [TestServer, TestServer];
  before(async () => {
    const env = { TRUST_PROXY: 'true' };
    servers[0] = await startTestServer({ env });
    servers[1] = await startTestServer({
      database_url: servers[0].database_url,
      // Either server may send the mails, so both write them to the same folder.
      env: {
        ...env,
        PUBLIC_URL: 'https://overworld.studio.example',
        DATA_DIR: servers[0].data_dir,
      },
    });
  });
  after(async () => {
    await servers[1].close();
    await servers[0].close();
  });

  const logIn: DeviceLogins['logIn'] = async (email, password, options = {}) => {
    const { on = servers[0] } = options;
    const body = { email, password };
    const answer = await on.request('POST', '/v1/auth/login', {
      body,
      headers: headersOf(options),
    });
    return isBusy(answer) ? logIn(email, password, options) : answer;
  };
  return {
    servers,
    logIn,
    async makeBrowser({ email, password }, cookie) {
      const answer = await logIn(email, password, { cookie });
      assert.equal(answer.status, 200);
      return { cookie: cookieOf(answer), token: answer.body.token as string };
    },
    async listDevices(token, cookie) {
      const headers: Record<string, string> = cookie ? { cookie } : {};
      const { body } = await servers[0].request('GET', '/v1/auth/devices', { token, headers });
      return body.devices;
    },
    async lock({ email }) {
      for (let failure = 0; failure < 5; failure++) {
        assert.equal((await logIn(email, 'wrong')).status, 401);
      }
      assert.equal((await logIn(email, 'wrong')).status, 403);
    },
  };
}

let lastAddress = 0;
const newAddress = () => `10.2.${++lastAddress >> 8}.${lastAddress & 255}`;

/** Makes the headers of a browser's request. */
export const headersOf = ({ cookie, address = newAddress() }: LoginOptions) => ({
  'user-agent': FIREFOX,
  'x-forwarded-for': address,
  ...(cookie ? { cookie } : {}),
});

/**
 * Tells whether the server had too many passwords to check,
 * as on a busy machine. A client tries such a login again.
 */
export const isBusy = ({ status, body }: TestAnswer): boolean =>
  status === 503 && body.error.startsWith('Too many passwords');

export const cookieOf = ({ headers }: TestAnswer): string =>
  headers.get('set-cookie')!.split(';')[0]!;
