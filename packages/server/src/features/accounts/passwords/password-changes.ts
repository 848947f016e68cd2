import { insertAuditEntry } from '../../../platform/audit.ts';
import type { AccountCaller } from '../../../platform/auth/accounts.ts';
import type { TokenClaims } from '../../../platform/auth/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import {
  deleteAccountTokens,
  findTokenAccount,
  takeAccountToken,
} from '../links/account-tokens.ts';
import { createAttemptLimit } from '../login/attempt-limit.ts';
import type { AttemptLimit } from '../login/attempt-limit.ts';
import { deleteOtherDevices, readDeviceToken, rememberDevice } from '../sessions/devices.ts';
import { judgePassword } from '../login/login.ts';
import { deleteLoginFailures } from '../login/login-failures.ts';
import { requireGoodPassword } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { deleteSessions, openSession } from '../sessions/sessions.ts';
import { markEmailVerified, updatePassword } from '../store.ts';

interface Services {
  database: Database;
  passwords: Passwords;
}

/** Of one network address: who follows a link from a mail fails once or twice. */
const MAX_FAILED_LINKS_PER_MINUTE = 30;

/** Limits tries of links, whatever they are for. */
export const createFailedLinkLimit = (database: Database) =>
  createAttemptLimit(database, 'use_link', MAX_FAILED_LINKS_PER_MINUTE);

/** 400 for a link that is unknown, used or too old. */
export const badToken = () => badRequest('token is invalid or has expired');

/**
 * Sets the password of the account that a reset link was sent to, ends its sessions, clears its failed
 * logins, and knows this browser alone: strangers who go on guessing cannot keep its owner out.
 * @returns the token of the browser's cookie.
 * @throws ApiError 400 when the token is unknown, used or expired or the password is guessed first, 429
 * when the network address has tried too many tokens.
 */
export async function resetPassword(
  { database, passwords, failedLinks }: Services & { failedLinks: AttemptLimit },
  given: { token: string; password: string },
  client: Client,
): Promise<string> {
  const { ip } = client;
  await failedLinks.check(ip);
  const account = await findTokenAccount(database, given.token, 'reset_password');
  if (account === null) {
    await failedLinks.count(ip);
    throw badToken();
  }
  const { id: account_id, email } = account;
  await requireGoodPassword('password', given.password, email);
  const password_hash = await passwords.use({ ip, email }, ({ hash }) => hash(given.password));
  return database.transaction(async (tx) => {
    // In the order of logins and changes, failures before account before tokens: no deadlock.
    await deleteLoginFailures(tx, email);
    await updatePassword(tx, account_id, password_hash);
    await markEmailVerified(tx, account_id);
    await deleteSessions(tx, account_id);
    const known = readDeviceToken(client.cookies);
    await deleteOtherDevices(tx, account_id, known);
    const device_token = await rememberDevice(tx, account_id, known, client);
    if (!(await takeAccountToken(tx, given.token, 'reset_password'))) throw badToken();
    await deleteAccountTokens(tx, account_id, 'reset_password');
    const actor = { account: { account_id, email }, ip };
    await insertAuditEntry(tx, actor, { game_id: null, action: 'reset_password', target: email });
    return device_token;
  });
}

/**
 * Changes a password by its owner, and ends the account's sessions. A wrong current password counts
 * as a failed login, as a stolen session must not be a way to try passwords.
 * @returns the claims of a new session for its owner.
 * @throws ApiError 400 when the current password is wrong or the new one guessed first, 403 after too
 * many failures.
 */
export async function changePassword(
  { database, passwords }: Services,
  caller: AccountCaller,
  given: { current_password: string; new_password: string },
  client: Client,
): Promise<TokenClaims> {
  const { email, account_id } = caller;
  await requireGoodPassword('new_password', given.new_password, email);
  const judged = await passwords.use({ ip: client.ip, email }, (hashing) =>
    database.transaction(async (tx) => {
      const judgement = await judgePassword(tx, hashing, {
        email,
        password: given.current_password,
        device_token: readDeviceToken(client.cookies),
      });
      if (judgement instanceof ApiError) return judgement;
      const password_hash = await hashing.hash(given.new_password);
      const generation = await updatePassword(
        tx,
        account_id,
        password_hash,
        judgement.password_hash,
      );
      if (generation === null) throw wrongCurrentPassword();
      await deleteSessions(tx, account_id);
      await deleteAccountTokens(tx, account_id, 'reset_password');
      const actor = { account: caller, ip: client.ip };
      await insertAuditEntry(tx, actor, {
        game_id: null,
        action: 'change_password',
        target: email,
      });
      return openSession(tx, { id: account_id, token_generation: generation }, client);
    }),
  );
  if (!(judged instanceof ApiError)) return judged;
  throw judged.status === 401 ? wrongCurrentPassword() : judged;
}

const wrongCurrentPassword = () => badRequest('current_password is wrong');
