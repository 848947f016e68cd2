import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JwtSecretKeeper } from '../../../platform/auth/jwt-secrets.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { hasAdministrator } from '../store.ts';

/**
 * The text whose signature is the setup token. A dashboard token can never sign the same text, because its
 * signed text has no spaces.
 */
const PURPOSE = 'overworld: make the administrator';

/**
 * Makes the setup token. Whoever has it can become the administrator, while there is no administrator. The
 * token is derived from the secret of dashboard tokens, so every server makes the same token, and no server
 * stores it.
 */
const makeSetupToken = ({ current }: ReturnType<JwtSecretKeeper['get']>) =>
  createHmac('sha256', current).update(PURPOSE).digest('base64url');

/** Finds the setup token; null when the installation has an administrator. */
export async function findSetupToken(
  database: Queryable,
  secrets: JwtSecretKeeper,
): Promise<string | null> {
  return (await hasAdministrator(database)) ? null : makeSetupToken(secrets.get());
}

/**
 * Makes the link to the page for the administrator's account. The token comes after `#`. Browsers never
 * send that part, so logs of proxies do not have the token.
 */
export const setupLink = (address: string, token: string) => `${address}/register#setup=${token}`;

/**
 * Checks a setup token against the current secret, which another server may just have changed.
 * @throws ApiError 403 for a wrong token, and for any token when there is an administrator.
 */
export async function checkSetupToken(
  database: Queryable,
  secrets: JwtSecretKeeper,
  token: string,
): Promise<void> {
  if (await hasAdministrator(database)) throw alreadySetUp();
  await secrets.refresh();
  const [given, wanted] = [token, makeSetupToken(secrets.get())].map((text) => Buffer.from(text));
  if (given!.length !== wanted!.length || !timingSafeEqual(given!, wanted!)) {
    throw new ApiError(
      403,
      'The setup token is wrong: open the link that the server printed at its start, or that `overworld setup-link` prints',
    );
  }
}

export const alreadySetUp = () =>
  new ApiError(403, 'The setup token is used up: this installation has an administrator');
