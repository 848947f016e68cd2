import type { Tokens } from '../../platform/auth/tokens.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { AttemptLimit } from '../../platform/limits/attempt-limit.ts';
import { createFailedLoginLimit, logIn } from './login/login.ts';
import type { AskSecondStep } from './login/login.ts';
import { shareQueue } from '../../platform/workers/shared-queue.ts';
import type { WorkerPool } from '../../platform/workers/worker-pool.ts';
import { createPasswords } from './passwords/passwords.ts';
import type { PasswordOwner, Passwords } from './passwords/passwords.ts';
import { findCredentials, listHashCosts, markEmailVerified } from './store.ts';
import type { PersonCaller } from '../../platform/auth/accounts.ts';
import type { OpenedLogin } from '../../platform/auth/opened-login.ts';
import type { Client } from '../../platform/http/client.ts';
import { createIdentityAccounts } from './login/identity-accounts.ts';
import { refusePasswords } from './login/passwords-refused.ts';
import type { StaffLoginSettings } from '../../platform/staff-login-settings.ts';
import { answerLogin, openLogin, openPasswordLogin } from './login/open-login.ts';
import { deleteSessions } from './sessions/sessions.ts';
import { isEmailVerified } from './links/email-verification.ts';
import type { RemoveSecondFactors } from './passwords/password-changes.ts';
import { requireGoodPassword } from './passwords/password-rules.ts';
import { createAccount } from './registration/registration.ts';

/** The services that logins, registrations and password changes share. */
export interface AccountServices {
  database: Database;
  tokens: Tokens;
  passwords: Passwords;
  failedLogins: AttemptLimit;
  askSecondStep: AskSecondStep;
  removeSecondFactors: RemoveSecondFactors;
  public_url: string;
  staff_login: StaffLoginSettings | null;
}

/** Builds the services of accounts, and the parts of accounts that other features use. */
export function createAccounts(
  given: Omit<AccountServices, 'passwords' | 'failedLogins'>,
  workerPool: WorkerPool,
  password_wait_ms?: number,
) {
  const { database } = given;
  const services: AccountServices = {
    ...given,
    passwords: createPasswords({
      listCosts: () => listHashCosts(database),
      queue: password_wait_ms === undefined ? {} : { deadline_ms: password_wait_ms },
      shareQueue: (name, queue) => shareQueue(workerPool, name, queue),
    }),
    failedLogins: createFailedLoginLimit(database),
  };
  return {
    services,
    forInvitations: createInvitedAccounts(services),
    forSecondFactors: createFactorAccounts(services),
    forStaffLogin: createIdentityAccounts(services),
  };
}

/** Builds the part of the accounts feature that second factors use. */
function createFactorAccounts(services: AccountServices) {
  const { failedLogins } = services;
  return {
    failedLogins,
    openLogin,
    endOtherSessions: (tx: Queryable, { account_id, session_id }: PersonCaller) =>
      deleteSessions(tx, account_id, session_id),
    answerLogin: (opened: OpenedLogin, email: string) => answerLogin(services, opened, email),
  };
}

/** Builds the part of the accounts feature that invitations into games use. */
function createInvitedAccounts(services: AccountServices) {
  const { database, passwords, staff_login } = services;
  return {
    hasAccount: async (email: string) => (await findCredentials(database, email)) !== null,
    logIn(credentials: { email: string; password: string }, client: Client) {
      refusePasswords(staff_login);
      return logIn(services, credentials, client);
    },
    async hashPassword(owner: PasswordOwner, password: string) {
      refusePasswords(staff_login);
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
