import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import { badRequest } from '../../../platform/errors.ts';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { markEmailVerified, updateStatus } from '../store.ts';
import { findTokenAccount, takeAccountToken } from './account-tokens.ts';
import type { TokenPurpose } from './account-tokens.ts';

/** The limit for one network address. A person who follows a link from a mail fails once or twice. */
const MAX_FAILED_LINKS_PER_MINUTE = 30;

/** Limits failed uses of links, whatever the purpose of the links. */
export const createFailedLinkLimit = (database: Database): AttemptLimit =>
  createAttemptLimit(database, 'use_link', MAX_FAILED_LINKS_PER_MINUTE);

interface LinkServices {
  database: Database;
  /** Made by `createFailedLinkLimit`. */
  failedLinks: AttemptLimit;
}

/** The 400 error for a link that is unknown, used or too old. */
export const badToken = () => badRequest('token is invalid or has expired');

/**
 * Finds the account that a link was sent to.
 * @throws ApiError 400 when the token is unknown, used or expired, 429 when the network address has
 * tried too many tokens.
 */
export async function getLinkAccount(
  { database, failedLinks }: LinkServices,
  token: string,
  purpose: TokenPurpose,
  ip: string,
): Promise<{ account_id: string; email: string }> {
  await failedLinks.check(ip);
  const account = await findTokenAccount(database, token, purpose);
  if (account !== null) return account;
  await failedLinks.count(ip);
  throw badToken();
}

/**
 * Activates the account that the link was sent to.
 * @throws ApiError 400 when the token is unknown, used or expired, or the account is not pending, 429
 * when the network address has tried too many tokens.
 */
export async function activateByLink(
  services: LinkServices,
  { token }: { token: string },
  ip: string,
): Promise<void> {
  const account = await getLinkAccount(services, token, 'activate_account', ip);
  const { account_id, email } = account;
  await services.database.transaction(async (tx) => {
    const activated = await updateStatus(tx, account_id, 'pending', 'active');
    await markEmailVerified(tx, account_id);
    const taken = await takeAccountToken(tx, token, 'activate_account');
    if (!activated || !taken) throw badToken();
    await insertAuditEntry(
      tx,
      { actor: { account, ip }, game_id: null },
      'activate_account',
      email,
    );
  });
}

/**
 * Verifies the e-mail address that the link was sent to.
 * @returns the e-mail address.
 * @throws ApiError 400 when the token is unknown, used or expired, 429 when the network address has
 * tried too many tokens.
 */
export async function verifyByLink(
  services: LinkServices,
  { token }: { token: string },
  ip: string,
): Promise<string> {
  const account = await getLinkAccount(services, token, 'verify_email', ip);
  const { account_id, email } = account;
  await services.database.transaction(async (tx) => {
    await markEmailVerified(tx, account_id);
    if (!(await takeAccountToken(tx, token, 'verify_email'))) throw badToken();
    await insertAuditEntry(tx, { actor: { account, ip }, game_id: null }, 'verify_email', email);
  });
  return email;
}
