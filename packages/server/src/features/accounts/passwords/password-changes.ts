import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import { revokeTokensOf } from '../../../platform/auth/access-tokens.ts';
import type { PersonCaller } from '../../../platform/auth/accounts.ts';
import type { TokenClaims } from '../../../platform/auth/tokens.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import { deleteAccountTokens, takeAccountToken } from '../links/account-tokens.ts';
import { badToken, getLinkAccount } from '../links/links.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { deleteOtherDevices, readDeviceToken, rememberDevice } from '../sessions/devices.ts';
import { judgePassword } from '../login/login.ts';
import { deleteLoginFailures } from '../login/login-failures.ts';
import { requireGoodPassword } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { deleteSessions, findSessionEnd, openSession } from '../sessions/sessions.ts';
import { markEmailVerified, updatePassword } from '../store.ts';

interface Services {
  database: Database;
  passwords: Passwords;
}

/** Removes all second factors of an account, and tells its owner by mail. */
export type RemoveSecondFactors = (
  tx: Queryable,
  actor: Actor,
  account: { account_id: string; email: string },
) => Promise<boolean>;

/**
 * Sets the password of the account to which a reset link was sent, ends its sessions and clears its failed
 * logins. The account forgets all known browsers except the caller's. Failed logins of a known browser are
 * counted separately. So an attacker who goes on guessing cannot lock the owner out. If the address was not
 * verified before, the second factors and the access tokens are removed too.
 * @returns the token for the cookie that makes this browser known.
 * @throws ApiError 400 when the token is unknown, used or expired, or the password is easy to guess, 429 when
 * the network address has tried too many tokens.
 */
export async function resetPassword(
  services: Services & { failedLinks: AttemptLimit; removeSecondFactors: RemoveSecondFactors },
  given: { token: string; password: string },
  client: Client,
): Promise<string> {
  const { database, passwords, removeSecondFactors } = services;
  const { ip } = client;
  const account = await getLinkAccount(services, given.token, 'reset_password', ip);
  const { account_id, email } = account;
  const actor = { account, ip };
  await requireGoodPassword('password', given.password, email);
  const password_hash = await passwords.use({ ip, email }, ({ hash }) => hash(given.password));
  return database.transaction(async (tx) => {
    // Logins and password changes lock rows in the same order (failures, account, tokens), so there is no
    // deadlock.
    await deleteLoginFailures(tx, email);
    await updatePassword(tx, account_id, password_hash);
    // Until now nobody had proved that the address is theirs, so its second factors and access tokens may be
    // a stranger's.
    const isFirstProof = await markEmailVerified(tx, account_id);
    if (isFirstProof) await removeSecondFactors(tx, actor, account);
    const details = isFirstProof
      ? { revoked_access_tokens: await revokeTokensOf(tx, account_id) }
      : {};
    await deleteSessions(tx, account_id);
    const known = readDeviceToken(client.cookies);
    await deleteOtherDevices(tx, account_id, known);
    const device_token = await rememberDevice(tx, account_id, known, client);
    if (!(await takeAccountToken(tx, given.token, 'reset_password'))) throw badToken();
    await deleteAccountTokens(tx, account_id, 'reset_password');
    await deleteAccountTokens(tx, account_id, 'log_in');
    await insertAuditEntry(tx, { actor, game_id: null }, 'reset_password', email, details);
    return device_token;
  });
}

/**
 * Changes the caller's password, and ends the account's sessions. A wrong current password counts as a failed
 * login. Otherwise somebody with a stolen session could try any number of passwords.
 * @param keeps_end True if the new session ends when the caller's would have, because only the identity provider
 * makes logins longer.
 * @returns the claims of a new session of the caller.
 * @throws ApiError 400 when the current password is wrong or the new one is easy to guess, 403 after too many
 * failures.
 */
export async function changePassword(
  { database, passwords, keeps_end }: Services & { keeps_end: boolean },
  caller: PersonCaller,
  given: { current_password: string; new_password: string },
  client: Client,
): Promise<{ claims: TokenClaims; ends_at: Date | null }> {
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
      const replaced = judgement.password_hash;
      const generation = await updatePassword(tx, account_id, password_hash, replaced);
      if (generation === null) throw wrongCurrentPassword();
      const ends_at = keeps_end ? await findSessionEnd(tx, caller.session_id) : null;
      if (keeps_end && ends_at === null) throw new ApiError(401, 'Invalid token');
      await deleteSessions(tx, account_id);
      await deleteAccountTokens(tx, account_id, 'reset_password');
      await deleteAccountTokens(tx, account_id, 'log_in');
      const actor = { account: caller, ip: client.ip };
      await insertAuditEntry(tx, { actor, game_id: null }, 'change_password', email);
      const account = { id: account_id, token_generation: generation };
      return { claims: await openSession(tx, account, client, ends_at), ends_at };
    }),
  );
  if (!(judged instanceof ApiError)) return judged;
  throw judged.status === 401 ? wrongCurrentPassword() : judged;
}

const wrongCurrentPassword = () => badRequest('current_password is wrong');
