import { MAX_LINKS_OF_NETWORKS, MAX_LINKS_OF_REQUESTER } from '@overworld/contract/accounts/limits';
import { lockAccountRow } from '../../../platform/auth/account-lock.ts';
import { hashToken, makeRandomToken } from '../../../platform/auth/random-token.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

export type TokenPurpose = 'reset_password' | 'activate_account' | 'verify_email' | 'log_in';

const LIFETIME_HOURS: Record<TokenPurpose, number> = {
  reset_password: 1,
  activate_account: 7 * 24,
  verify_email: 7 * 24,
  log_in: 1,
};

/** The prefix of a requester's name when the requester is a known browser. */
const DEVICE = 'device:';

/**
 * Makes the token of a link that is about to be mailed. If the mail is sent again, a new token replaces the
 * first one. Returns null if the account must get no more mails of this kind today. Each requester, which is
 * a known browser of the account or a network, has a daily limit. All networks together have another one.
 */
export async function makeAccountToken(
  database: Database,
  link: {
    account_id: string;
    purpose: TokenPurpose;
    mail_id: string;
    /** The network of the request. */
    network: string;
    /** The id of the account's known browser that sent the request, or null. */
    device_id: string | null;
  },
): Promise<string | null> {
  const { account_id, purpose, mail_id, network, device_id } = link;
  const asked_by = device_id ? `${DEVICE}${device_id}` : `network:${network}`;
  const token = makeRandomToken();
  const inserted = await database.transaction(async (tx) => {
    // Several mails may be sent at the same time, and each must count the mails before it.
    await lockAccountRow(tx, account_id);
    return tx.execute(sql`
      INSERT INTO account_tokens (token_hash, account_id, purpose, mail_id, asked_by, expires_at)
      SELECT ${hashToken(token)}, ${account_id}, ${purpose}::account_token_purpose, ${mail_id},
             ${asked_by}, now() + ${LIFETIME_HOURS[purpose]}::integer * interval '1 hour'
      WHERE (
        SELECT count(*) FILTER (WHERE asked_by = ${asked_by}) < ${MAX_LINKS_OF_REQUESTER}::integer
          AND (${device_id !== null}::boolean
            OR count(*) FILTER (WHERE starts_with(asked_by, ${DEVICE}) IS NOT TRUE)
              < ${MAX_LINKS_OF_NETWORKS}::integer)
        FROM account_tokens
        WHERE account_id = ${account_id} AND purpose = ${purpose}::account_token_purpose
          AND mail_id <> ${mail_id} AND created_at > now() - interval '1 day'
      )
      ON CONFLICT (mail_id) DO UPDATE
      SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at`);
  });
  return inserted === 1 ? token : null;
}

/**
 * Makes the token of a link that is shown and not mailed. The
 * account's earlier links for the same purpose become invalid.
 */
export async function replaceAccountTokens(
  tx: Queryable,
  account_id: string,
  purpose: TokenPurpose,
): Promise<{ token: string; expires_at: string }> {
  const token = makeRandomToken();
  await lockAccountRow(tx, account_id);
  await deleteAccountTokens(tx, account_id, purpose);
  const row = await tx.queryOne<{ expires_at: string }>(sql`
    INSERT INTO account_tokens (token_hash, account_id, purpose, mail_id, expires_at)
    VALUES (${hashToken(token)}, ${account_id}, ${purpose}::account_token_purpose, gen_random_uuid(),
            now() + ${LIFETIME_HOURS[purpose]}::integer * interval '1 hour')
    RETURNING expires_at`);
  return { token, ...row! };
}

/** Finds the account that a token belongs to. Returns null when the token is not valid. */
export async function findTokenAccount(
  database: Queryable,
  token: string,
  purpose: TokenPurpose,
): Promise<{ account_id: string; email: string } | null> {
  return database.queryOne(sql`
    SELECT account_id, email
    FROM account_tokens
    JOIN accounts ON accounts.id = account_id
    WHERE token_hash = ${hashToken(token)} AND purpose = ${purpose} AND expires_at > now()`);
}

/** Uses up a token. Returns false when the token is not valid any more. */
export async function takeAccountToken(
  tx: Queryable,
  token: string,
  purpose: TokenPurpose,
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    DELETE FROM account_tokens
    WHERE token_hash = ${hashToken(token)} AND purpose = ${purpose} AND expires_at > now()`);
  return deleted === 1;
}

/** Voids the account's links for a purpose. */
export async function deleteAccountTokens(
  tx: Queryable,
  account_id: string,
  purpose: TokenPurpose,
): Promise<void> {
  await tx.execute(sql`
    DELETE FROM account_tokens WHERE account_id = ${account_id} AND purpose = ${purpose}`);
}

/** Deletes tokens a day after they expire. Until then, they count towards the daily limit of mails. */
export async function deleteExpiredTokens(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM account_tokens WHERE expires_at < now() - interval '1 day'`);
}
