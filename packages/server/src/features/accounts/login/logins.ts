import { hasFactor } from '../../../platform/auth/second-factor-policy.ts';
import type { TokenClaims, Tokens } from '../../../platform/auth/tokens.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/client.ts';
import { RELEASE } from '../../../platform/release.ts';
import { makeDeviceCookie, readDeviceToken, rememberDevice } from '../sessions/devices.ts';
import { openSession } from '../sessions/sessions.ts';
import { updateLastLogin } from '../store.ts';

/** A session in the database, and the browser that it is of. */
export interface OpenedLogin {
  claims: TokenClaims;
  device_token: string;
}

/** What registering and logging in answer. */
export interface Login {
  /** JWT of the account. */
  token: string;
  user: { id: string; email: string };
  backendVersion: string;
}

type ShownAccount = { id: string; token_generation: number };

/**
 * Opens a session of an account that has just shown its password, and knows its browser from now on.
 * @throws ApiError 401 when a second factor was added since the password was judged.
 */
export async function openPasswordLogin(
  tx: Queryable,
  account: ShownAccount,
  client: Client,
): Promise<OpenedLogin> {
  const opened = await openLogin(tx, account, client);
  // Read now that the account is locked: the first factor has ended the sessions before this one.
  if (!(await hasFactor(tx, account.id))) return opened;
  throw new ApiError(401, 'Two-factor login was set up meanwhile: log in again');
}

/** The same after the second step. */
export async function openLogin(
  tx: Queryable,
  account: ShownAccount,
  client: Client,
): Promise<OpenedLogin> {
  await updateLastLogin(tx, account.id);
  const claims = await openSession(tx, account, client);
  const device_token = await rememberDevice(
    tx,
    account.id,
    readDeviceToken(client.cookies),
    client,
  );
  return { claims, device_token };
}

/** Body and headers of the answer to a login that is stored. */
export async function answerLogin(
  { tokens, public_url }: { tokens: Tokens; public_url: string },
  { claims, device_token }: OpenedLogin,
  email: string,
): Promise<{ login: Login; headers: { 'Set-Cookie': string } }> {
  const login = {
    token: await tokens.sign(claims),
    user: { id: claims.account_id, email },
    backendVersion: RELEASE,
  };
  return { login, headers: { 'Set-Cookie': makeDeviceCookie(device_token, public_url) } };
}
