import type { Database } from '../../../platform/database/database.ts';
import { badRequest } from '../../../platform/errors.ts';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { findTokenAccount } from './account-tokens.ts';
import type { TokenPurpose } from './account-tokens.ts';

/** Failures of one network address. A person who follows a link from a mail fails once or twice. */
const MAX_FAILED_LINKS_PER_MINUTE = 30;

/** Limits failures of links, whatever their purpose. */
export const createFailedLinkLimit = (database: Database): AttemptLimit =>
  createAttemptLimit(database, 'use_link', MAX_FAILED_LINKS_PER_MINUTE);

/** 400 for a link that is unknown, used or too old. */
export const badToken = () => badRequest('token is invalid or has expired');

/**
 * The account that a link was sent to.
 * @throws ApiError 400 when the token is unknown, used or expired, 429 when the network address has
 * tried too many tokens.
 */
export async function getLinkAccount(
  { database, failedLinks }: { database: Database; failedLinks: AttemptLimit },
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
