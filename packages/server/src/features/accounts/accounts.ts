import type { Tokens } from '../../platform/auth/tokens.ts';
import type { Database } from '../../platform/database/database.ts';
import { createFactorAccounts } from './factor-accounts.ts';
import type { AttemptLimit } from './login/attempt-limit.ts';
import { createFailedLoginLimit } from './login/login.ts';
import type { AskSecondStep } from './login/login.ts';
import { shareQueue } from '../../platform/workers/shared-queue.ts';
import type { Crew } from '../../platform/workers/crew.ts';
import { createPasswords } from './passwords/passwords.ts';
import type { Passwords } from './passwords/passwords.ts';
import { createInvitedAccounts } from './registration/invited-accounts.ts';
import { listHashCosts } from './store.ts';

/** The services that all ways to an account share. */
export interface AccountServices {
  database: Database;
  tokens: Tokens;
  passwords: Passwords;
  failedLogins: AttemptLimit;
  askSecondStep: AskSecondStep;
  public_url: string;
}

/** Builds these services, and the parts of accounts that other features use. */
export function createAccounts(
  given: Omit<AccountServices, 'passwords' | 'failedLogins'>,
  crew: Crew,
) {
  const { database } = given;
  const services: AccountServices = {
    ...given,
    passwords: createPasswords({
      listCosts: () => listHashCosts(database),
      shareQueue: (name, queue) => shareQueue(crew, name, queue),
    }),
    failedLogins: createFailedLoginLimit(database),
  };
  return {
    services,
    forInvitations: createInvitedAccounts(services),
    forSecondFactors: createFactorAccounts(services),
  };
}
