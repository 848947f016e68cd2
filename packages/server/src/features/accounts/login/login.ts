import { MAX_FAILED_LOGINS_PER_MINUTE } from '@overworld/contract/accounts/limits';
import { refuseInactive } from '../../../platform/auth/accounts.ts';
import { normalizeEmail } from '../../../platform/auth/email.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import {
  deleteDeviceFailures,
  insertDeviceFailure,
  lockKnownDevice,
  readDeviceToken,
} from '../sessions/devices.ts';
import {
  deleteLoginFailures,
  insertLoginFailure,
  lockLoginFailures,
  tooManyFailures,
} from './login-failures.ts';
import type { Hashing, Passwords } from '../passwords/passwords.ts';
import { findCredentials, updatePasswordHash } from '../store.ts';
import type { Credentials } from '../store.ts';

export const createFailedLoginLimit = (database: Database) =>
  createAttemptLimit(database, 'log_in', MAX_FAILED_LOGINS_PER_MINUTE);

/**
 * Makes the error that asks the caller for the second step of a login. `origin` is the origin of the page
 * that sent the login. Returns null if the account has no second factor. The second step hands back the text of
 * `makeSecret`.
 */
export type AskSecondStep = (
  account_id: string,
  origin: string | undefined,
  makeSecret?: () => Promise<string>,
) => Promise<ApiError | null>;

const wrongCredentials = () => new ApiError(401, 'Invalid email or password');

/**
 * Checks e-mail and password. Every failure takes the same steps, so that neither the answer nor its
 * time tells whether the address has an account.
 * @throws ApiError 401 when e-mail or password is wrong, or when a second step follows. 403 when too many
 * failures have locked the e-mail address. 403 also when the password is right and the account is locked or
 * pending. 429 when the network address has failed too often.
 */
export async function logIn(
  services: {
    database: Database;
    passwords: Passwords;
    failedLogins: AttemptLimit;
    askSecondStep: AskSecondStep;
  },
  given: { email: string; password: string },
  client: Client,
): Promise<Credentials> {
  const { database, passwords, failedLogins, askSecondStep } = services;
  const { ip, origin } = client;
  const attempt = {
    email: normalizeEmail(given.email),
    password: given.password,
    device_token: readDeviceToken(client.cookies),
  };
  return passwords.use({ ip, email: attempt.email }, async (hashing) => {
    await failedLogins.check(ip);
    // An error that is thrown in the transaction would roll back the count of failures, so errors are
    // thrown afterwards.
    const judged = await database.transaction(async (tx) => {
      const judgement = await judgePassword(tx, hashing, attempt);
      if (!(judgement instanceof ApiError) && judgement.status === 'active') {
        if (hashing.isOutdated(judgement.password_hash)) {
          await updatePasswordHash(tx, judgement, await hashing.hash(given.password));
        }
      }
      return judgement;
    });
    if (judged instanceof ApiError) {
      if (judged.status === 401) await failedLogins.count(ip);
      throw judged;
    }
    refuseInactive(judged.status);
    const second_step = await askSecondStep(judged.id, origin);
    if (second_step !== null) throw second_step;
    return judged;
  });
}

/** An attempt to log in with an e-mail address and a password. */
interface PasswordAttempt {
  email: string;
  password: string;
  /** The token in the cookie of the caller's browser. */
  device_token: string | null;
}

/**
 * Judges one attempt to log in. Attempts with the same address wait for each other. Failures are counted
 * until a success, so at most five wrong passwords can be tried. Failures of a browser that the account knows
 * are counted separately: this browser cannot lock out others, and others cannot lock out this browser.
 * @returns the account, or the error to answer.
 */
export async function judgePassword(
  tx: Queryable,
  hashing: Hashing,
  { email, password, device_token }: PasswordAttempt,
): Promise<Credentials | ApiError> {
  const device_id = device_token && (await lockKnownDevice(tx, email, device_token));
  if (!device_id) {
    const { locked_until } = await lockLoginFailures(tx, email);
    if (locked_until !== null) return tooManyFailures(locked_until);
  }
  const account = await findCredentials(tx, email);
  const matches = await hashing.verify(account?.password_hash ?? null, password);
  if (account === null || !matches) {
    if (device_id) await insertDeviceFailure(tx, device_id);
    else await insertLoginFailure(tx, email);
    return wrongCredentials();
  }
  if (device_id) await deleteDeviceFailures(tx, device_id);
  else await deleteLoginFailures(tx, email);
  return account;
}
