import type {
  LoginAnswer,
  OpenedLogin,
  ProvedAccount,
} from '../../../platform/auth/opened-login.ts';
import { hasFactor } from '../../../platform/auth/second-factor-policy.ts';
import type { Tokens } from '../../../platform/auth/tokens.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import { RELEASE } from '../../../platform/release.ts';
import { makeDeviceCookie, readDeviceToken, rememberDevice } from '../sessions/devices.ts';
import { openSession } from '../sessions/sessions.ts';
import { updateLastLogin } from '../store.ts';

/**
 * Opens a session of an account that has just proved its password, and remembers its browser.
 * @throws ApiError 401 when a second factor was added after the password had been checked.
 */
export async function openPasswordLogin(
  tx: Queryable,
  account: ProvedAccount,
  client: Client,
): Promise<OpenedLogin> {
  const opened = await openLogin(tx, account, client);
  // This transaction has locked the account. If another request added a second factor before the lock, that
  // request ended the account's sessions, but not this new one.
  if (!(await hasFactor(tx, account.id))) return opened;
  throw new ApiError(401, 'Two-factor login was set up meanwhile: log in again');
}

/** Opens a session of an account that has taken the second step, and remembers its browser. */
export async function openLogin(
  tx: Queryable,
  account: ProvedAccount,
  client: Client,
): Promise<OpenedLogin> {
  await updateLastLogin(tx, account.id);
  const claims = await openSession(tx, account, client);
  const given = readDeviceToken(client.cookies);
  const device_token = await rememberDevice(tx, account.id, given, client);
  return { claims, device_token };
}

/** Makes the body and the headers of the answer to a login that is already stored. */
export async function answerLogin(
  { tokens, public_url }: { tokens: Tokens; public_url: string },
  { claims, device_token }: OpenedLogin,
  email: string,
): Promise<LoginAnswer> {
  const login = {
    token: await tokens.sign(claims),
    user: { id: claims.account_id, email },
    backendVersion: RELEASE,
  };
  return { login, headers: { 'Set-Cookie': makeDeviceCookie(device_token, public_url) } };
}
