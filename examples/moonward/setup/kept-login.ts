import { randomBytes } from 'node:crypto';
import { callApi, DashboardApiError } from './dashboard-api.ts';
import { readKept } from './kept-file.ts';
import type { GameAccess } from './set-up-game.ts';

/** Data that the example keeps beside its database: its account, and the game. */
export interface KeptLogin {
  email: string;
  password: string;
  game: GameAccess | null;
}

/** Thrown when the example's account cannot be used. The message is one sentence for the user. */
export class LoginError extends Error {}

const EMAIL = 'moonward@overworld.example';

/** Reads the login that an earlier start stored, or makes a new one at the first start. */
export async function readLogin(path: string): Promise<KeptLogin> {
  const password = randomBytes(9).toString('base64url');
  return (await readKept<KeptLogin>(path)) ?? { email: EMAIL, password, game: null };
}

/**
 * Logs in, and returns the token of the account. Registers the account if it does not exist; on a new
 * server, this account becomes the administrator.
 */
export async function logIn(
  { address, setup_token }: { address: string; setup_token: string | null },
  { email, password }: KeptLogin,
): Promise<string> {
  const send = async (path: string, more: object = {}) => {
    const body = { email, password, ...more };
    return (await callApi<{ token: string }>(address, 'POST', path, { body })).token;
  };
  try {
    return await send('/v1/auth/register', setup_token === null ? {} : { setup_token });
  } catch (error) {
    if (!(error instanceof DashboardApiError) || error.status !== 409) throw error;
  }
  try {
    return await send('/v1/auth/login');
  } catch (error) {
    if (!(error instanceof DashboardApiError) || error.status !== 401) throw error;
    throw new LoginError(
      `The password of ${email} has been changed: set it back to ${password} in the dashboard, or delete the example's data folder.`,
    );
  }
}
