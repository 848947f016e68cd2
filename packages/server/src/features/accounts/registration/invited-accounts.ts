import type { Tokens } from '../../../platform/auth/tokens.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { Client } from '../../../platform/http/client.ts';
import { isEmailVerified } from '../links/email-verification.ts';
import { createFailedLoginLimit, logIn } from '../login/login.ts';
import type { AskSecondStep } from '../login/login.ts';
import { answerLogin, openPasswordLogin } from '../login/logins.ts';
import type { OpenedLogin } from '../login/logins.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { PasswordOwner, Passwords } from '../passwords/passwords.ts';
import { createAccount } from './registration.ts';
import { findCredentials, markEmailVerified } from '../store.ts';

/** What invitations into games need of accounts. */
export function createInvitedAccounts(services: {
  database: Database;
  tokens: Tokens;
  passwords: Passwords;
  askSecondStep: AskSecondStep;
  public_url: string;
}) {
  const { database, passwords, askSecondStep } = services;
  const failedLogins = createFailedLoginLimit(database);
  return {
    hasAccount: async (email: string) => (await findCredentials(database, email)) !== null,
    logIn: (credentials: { email: string; password: string }, client: Client) =>
      logIn({ database, passwords, failedLogins, askSecondStep }, credentials, client),
    async hashPassword(owner: PasswordOwner, password: string) {
      await requireGoodPassword('password', password, owner.email);
      return passwords.use(owner, ({ hash }) => hash(password));
    },
    async createAccount(
      tx: Queryable,
      { email, password_hash }: { email: string; password_hash: string },
      ip: string,
    ) {
      const account = { email, password_hash, is_administrator: false };
      const created = await createAccount(tx, account, (made) => ({
        account: { account_id: made.id, email: made.email },
        ip,
      }));
      return { ...created, token_generation: 1 };
    },
    isVerified: isEmailVerified,
    markVerified: markEmailVerified,
    openLogin: openPasswordLogin,
    answerLogin: (opened: OpenedLogin, email: string) => answerLogin(services, opened, email),
  };
}
