import type { OpenedLogin } from '../../../platform/auth/opened-login.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Client } from '../../../platform/http/client.ts';
import { isEmailVerified } from '../links/email-verification.ts';
import { logIn } from '../login/login.ts';
import { answerLogin, openPasswordLogin } from '../login/open-login.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { PasswordOwner } from '../passwords/passwords.ts';
import type { AccountServices } from '../accounts.ts';
import { createAccount } from './registration.ts';
import { findCredentials, markEmailVerified } from '../store.ts';

/** The part of accounts that invitations into games use. */
export function createInvitedAccounts(services: AccountServices) {
  const { database, passwords } = services;
  return {
    hasAccount: async (email: string) => (await findCredentials(database, email)) !== null,
    logIn: (credentials: { email: string; password: string }, client: Client) =>
      logIn(services, credentials, client),
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
      return { ...(await createAccount(tx, account, { ip })), token_generation: 1 };
    },
    isVerified: isEmailVerified,
    markVerified: markEmailVerified,
    openLogin: openPasswordLogin,
    answerLogin: (opened: OpenedLogin, email: string) => answerLogin(services, opened, email),
  };
}
