import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JwtSecretKeeper } from '../../../platform/auth/jwt-secrets.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { hasAdministrator } from '../store.ts';

/** No dashboard token is signed over these bytes: none holds a space. */
const PURPOSE = 'overworld: make the administrator';

/**
 * The token that makes its holder the administrator, while there is none. It follows from the secret
 * of tokens, so every server makes the same one at any time, and none is stored.
 */
const makeSetupToken = ({ current }: ReturnType<JwtSecretKeeper['get']>) =>
  createHmac('sha256', current).update(PURPOSE).digest('base64url');

/** The setup token; null when the installation has an administrator. */
export async function findSetupToken(
  database: Queryable,
  secrets: JwtSecretKeeper,
): Promise<string | null> {
  return (await hasAdministrator(database)) ? null : makeSetupToken(secrets.get());
}

/**
 * Where the account of the administrator is made. The token is behind `#`, which a browser sends to
 * no server: no log of a proxy holds it.
 */
export const setupLink = (address: string, token: string) => `${address}/register#setup=${token}`;

/**
 * Holds a setup token against the secret that signs now, on whichever server it was changed.
 * @throws ApiError 403 for a wrong one, and for any when there is an administrator.
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
