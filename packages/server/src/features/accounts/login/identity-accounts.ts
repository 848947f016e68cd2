import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import { revokeTokensOf } from '../../../platform/auth/access-tokens.ts';
import type { PersonCaller } from '../../../platform/auth/accounts.ts';
import type { OpenedLogin } from '../../../platform/auth/opened-login.ts';
import { makeRandomToken } from '../../../platform/auth/random-token.ts';
import type { Tokens } from '../../../platform/auth/tokens.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { deleteAccountTokens } from '../links/account-tokens.ts';
import type { RemoveSecondFactors } from '../passwords/password-changes.ts';
import type { PasswordOwner, Passwords } from '../passwords/passwords.ts';
import { createAccount } from '../registration/registration.ts';
import { deleteOtherDevices, readDeviceToken } from '../sessions/devices.ts';
import { deleteSessions } from '../sessions/sessions.ts';
import { discardPassword, markEmailVerified, updateStatus } from '../store.ts';
import { deleteLoginFailures } from './login-failures.ts';
import { judgePassword } from './login.ts';
import type { AskSecondStep } from './login.ts';
import { answerLogin, openPasswordLogin } from './open-login.ts';

interface Services {
  database: Database;
  passwords: Passwords;
  failedLogins: AttemptLimit;
  tokens: Tokens;
  askSecondStep: AskSecondStep;
  removeSecondFactors: RemoveSecondFactors;
  public_url: string;
}

/** Builds the part of the accounts feature that logins with the studio's identity use. */
export function createIdentityAccounts(services: Services) {
  const { database, passwords, failedLogins, askSecondStep, removeSecondFactors } = services;
  return {
    /** Makes the hash of a password that nobody knows. */
    makeUnknownHash: (owner: PasswordOwner) =>
      passwords.use(owner, ({ hash }) => hash(makeRandomToken())),

    /** Makes an active account, whose password nobody knows. */
    async createAccount(tx: Queryable, email: string, unknown_hash: string, ip: string) {
      const account = { email, password_hash: unknown_hash, has_password: false };
      const made = await createAccount(tx, { ...account, is_administrator: false }, { ip });
      return { ...made, status: 'active' as const, token_generation: 1 };
    },

    /** Records that the account's address was proved. An account that waited for this becomes active. */
    async confirmAddress(tx: Queryable, account_id: string, actor: Actor) {
      await markEmailVerified(tx, account_id);
      const activated = await updateStatus(tx, account_id, 'pending', 'active');
      if (activated === null) return;
      await insertAuditEntry(tx, { actor, game_id: null }, 'activate_account', activated.email);
    },

    /**
     * Takes an account from the stranger who has registered it with an address that was never proved: its
     * password, sessions, known browsers, second factors and access tokens end.
     * @returns the account and the number of revoked tokens; null when the address was proved meanwhile.
     */
    async takeUnproved(
      tx: Queryable,
      { account_id, email }: { account_id: string; email: string },
      unknown_hash: string,
      actor: Actor,
    ) {
      // The order of the locks is that of a password reset.
      await deleteLoginFailures(tx, email);
      const account = await discardPassword(tx, account_id, unknown_hash);
      if (account === null) return null;
      await removeSecondFactors(tx, actor, { account_id, email });
      const revoked_access_tokens = await revokeTokensOf(tx, account_id);
      await deleteSessions(tx, account_id);
      await deleteOtherDevices(tx, account_id, null);
      await deleteAccountTokens(tx, account_id, 'reset_password');
      await deleteAccountTokens(tx, account_id, 'log_in');
      return { account, revoked_access_tokens };
    },

    /** Checks the password, and counts a failure. @throws ApiError 401, 403 or 429 as every login. */
    async checkPassword(
      { email, password }: { email: string; password: string },
      { ip, cookies }: Client,
    ) {
      await failedLogins.check(ip);
      const attempt = { email, password, device_token: readDeviceToken(cookies) };
      const judged = await passwords.use({ ip, email }, (hashing) =>
        database.transaction((tx) => judgePassword(tx, hashing, attempt)),
      );
      if (!(judged instanceof ApiError)) return judged;
      if (judged.status === 401) await failedLogins.count(ip);
      throw judged;
    },

    /**
     * Checks the caller's password. A wrong password counts as a failed login, because a stolen session must
     * not be a way to try passwords.
     */
    async confirmPassword(
      { email }: PersonCaller,
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

    askSecondStep,
    openLogin: openPasswordLogin,
    answerLogin: (opened: OpenedLogin, email: string) => answerLogin(services, opened, email),
  };
}
