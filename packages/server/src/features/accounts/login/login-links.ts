import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import { refuseInactive } from '../../../platform/auth/accounts.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { replaceAccountTokens, takeAccountToken } from '../links/account-tokens.ts';
import { badToken, getLinkAccount } from '../links/links.ts';
import { findCredentials } from '../store.ts';
import type { Credentials } from '../store.ts';

/** Makes a link that logs in to an account once. The account's earlier links become invalid. */
export async function makeLoginLink(
  database: Database,
  public_url: string,
  actor: Actor,
  { account_id, email }: { account_id: string; email: string },
): Promise<string> {
  return database.transaction(async (tx) => {
    const { token } = await replaceAccountTokens(tx, account_id, 'log_in');
    await insertAuditEntry(tx, { actor, game_id: null }, 'make_login_link', email);
    return `${public_url}/login#link=${token}`;
  });
}

/**
 * Uses up the token of a login link.
 * @returns the account, which has not taken its second step yet.
 * @throws ApiError 400 when the token is unknown, used or expired, 403 when the account is locked or pending, 429
 * when the network address has tried too many tokens.
 */
export async function takeLoginLink(
  services: { database: Database; failedLinks: AttemptLimit },
  token: string,
  ip: string,
): Promise<Credentials> {
  const { database } = services;
  const { email } = await getLinkAccount(services, token, 'log_in', ip);
  return database.transaction(async (tx) => {
    if (!(await takeAccountToken(tx, token, 'log_in'))) throw badToken();
    const account = await findCredentials(tx, email);
    if (account === null) throw badToken();
    refuseInactive(account.status);
    return account;
  });
}
