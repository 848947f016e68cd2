import type { TestServer } from '../../../../../test/harness.ts';
import type { TestAccount } from '../../../../../test/test-account.ts';
import { findToken, waitForMail } from '../../../../../test/mailbox.ts';
import { waitUntil } from '../../../../../test/wait-until.ts';
import { sql } from '../../../../platform/database/sql.ts';

let last_address = 0;
/** Returns an IP address that has made no request yet. */
export const newAddress = () => `10.0.${++last_address >> 8}.${last_address & 255}`;

/** Calls about passwords, on a server behind a proxy that names the addresses of clients. */
export function makeResetCalls(server: TestServer) {
  const forget = (email: unknown, address = newAddress()) =>
    server.request('POST', '/v1/auth/forgot-password', {
      body: { email },
      headers: { 'x-forwarded-for': address },
    });
  return {
    forget,
    reset: (token: unknown, password: unknown = 'a new password') =>
      server.request('POST', '/v1/auth/reset-password', { body: { token, password } }),
    logIn: (email: string, password: string) =>
      server.request('POST', '/v1/auth/login', {
        body: { email, password },
        headers: { 'x-forwarded-for': newAddress() },
      }),
    /** Asks for a link, and returns the token from the mail. */
    async getToken({ email }: TestAccount, count = 1) {
      await forget(email);
      return findToken(await waitForMail(server.data_dir, email, count));
    },
    /** Waits until every mail so far was sent or dropped. */
    waitForOutbox: () =>
      waitUntil('the outbox is empty', async () => {
        const rows = await server.database.query(sql`SELECT FROM mail_outbox LIMIT 1`);
        return rows.length === 0;
      }),
  };
}
