import { accountLocked, accountPending } from '../../../platform/auth/accounts.ts';
import { normalizeEmail } from '../../../platform/auth/email.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import { createAttemptLimit } from './attempt-limit.ts';
import type { AttemptLimit } from './attempt-limit.ts';
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

/** Of one network address: plenty for an office, little for guessing. */
const MAX_FAILED_LOGINS_PER_MINUTE = 30;

export const createFailedLoginLimit = (database: Database) =>
  createAttemptLimit(database, 'log_in', MAX_FAILED_LOGINS_PER_MINUTE);

/**
 * What asks for the second step of a login, for the page at this origin; null when the account has no
 * second factor.
 */
export type AskSecondStep = (
  account_id: string,
  origin: string | undefined,
) => Promise<ApiError | null>;

const wrongCredentials = () => new ApiError(401, 'Invalid email or password');

/**
 * Checks e-mail and password. Every path to "wrong" takes the same steps, so that neither the answer
 * nor its time tells whether there is such an account.
 * A browser that has logged in to the account before has failures of its own, so that others cannot
 * lock it out.
 * @throws ApiError 401 when they are wrong or the account asks for a second step, 403 when the address
 * is locked by failures or, with the right password, the account is locked or pending, 429 when the
 * network address has failed too often.
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
    // What is thrown in a transaction rolls it back, and a failure must count: it is thrown after.
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
    if (judged.status === 'locked') throw accountLocked();
    if (judged.status === 'pending') throw accountPending();
    const second_step = await askSecondStep(judged.id, origin);
    if (second_step !== null) throw second_step;
    return judged;
  });
}

/** A try at the password of an address. */
export interface PasswordAttempt {
  email: string;
  password: string;
  /** Of the cookie of the browser that it comes from. */
  device_token: string | null;
}

/**
 * Judges one attempt, in an order with all others: whose password it is, or the error to answer. A
 * failure counts, a success clears them; so five are tried at most. Failures of a browser that the
 * account knows are counted apart: they lock nobody out, and nobody else locks it out.
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
