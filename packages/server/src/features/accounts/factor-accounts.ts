import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { OpenedLogin } from '../../platform/auth/opened-login.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ApiError, badRequest } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/client.ts';
import { readDeviceToken } from './sessions/devices.ts';
import type { AccountServices } from './accounts.ts';
import { judgePassword } from './login/login.ts';
import { answerLogin, openLogin } from './login/open-login.ts';
import { deleteSessions } from './sessions/sessions.ts';

/** The part of accounts that second factors use. */
export function createFactorAccounts(services: AccountServices) {
  const { database, passwords, failedLogins } = services;
  return {
    /** A wrong password counts as a failed login: a stolen session must not be a way to try passwords. */
    async confirmPassword(
      { email }: AccountCaller,
      password: string,
      { ip, cookies }: Client,
    ): Promise<void> {
      const attempt = { email, password, device_token: readDeviceToken(cookies) };
      const judged = await passwords.use({ ip, email }, (hashing) =>
        database.transaction((tx) => judgePassword(tx, hashing, attempt)),
      );
      if (!(judged instanceof ApiError)) return;
      throw judged.status === 401 ? badRequest('password is wrong') : judged;
    },
    failedLogins,
    openLogin,
    endOtherSessions: (tx: Queryable, { account_id, session_id }: AccountCaller) =>
      deleteSessions(tx, account_id, session_id),
    answerLogin: (opened: OpenedLogin, email: string) => answerLogin(services, opened, email),
  };
}
