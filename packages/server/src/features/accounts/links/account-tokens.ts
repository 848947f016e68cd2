import { hash, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

export type TokenPurpose = 'reset_password' | 'activate_account' | 'verify_email';

const LIFETIME_HOURS: Record<TokenPurpose, number> = {
  reset_password: 1,
  activate_account: 7 * 24,
  verify_email: 7 * 24,
};

/**
 * Mails with a link that an account gets in a day because one network asks for them, or one browser
 * that has logged in to it. More are not sent.
 */
export const MAX_LINKS_OF_ASKER = 5;
/**
 * Of all networks together, so that no mailbox is flooded: it takes eight of them to use it up, and
 * browsers that the account knows still have their share.
 */
export const MAX_LINKS_OF_NETWORKS = 40;

/** Begins the name of an asker that is a known browser. */
const DEVICE = 'device:';

/** Tokens hold 192 random bits, so a plain SHA-256 is as good as a slow hash. */
const hashToken = (token: string) => hash('sha256', token, 'hex');

/**
 * Makes the token of a link that is sent now; a mail that is sent again gets a new one instead of
 * the one before. Null when the account has had enough such mails in the last day.
 */
export async function makeAccountToken(
  database: Database,
  link: {
    account_id: string;
    purpose: TokenPurpose;
    mail_id: string;
    /** From where it was asked for. */
    network: string;
    /** The account's browser that asked for it, or null. */
    device_id: string | null;
  },
): Promise<string | null> {
  const { account_id, purpose, mail_id, network, device_id } = link;
  const asked_by = device_id ? `${DEVICE}${device_id}` : `network:${network}`;
  // 32 characters: with a local address the link fits into a line of a mail, and stays readable.
  const token = randomBytes(24).toString('base64url');
  const inserted = await database.transaction(async (tx) => {
    // Mails are sent several at a time: each counts those before it.
    await tx.execute(sql`SELECT FROM accounts WHERE id = ${account_id} FOR NO KEY UPDATE`);
    return tx.execute(sql`
      INSERT INTO account_tokens (token_hash, account_id, purpose, mail_id, asked_by, expires_at)
      SELECT ${hashToken(token)}, ${account_id}, ${purpose}::account_token_purpose, ${mail_id},
             ${asked_by}, now() + ${LIFETIME_HOURS[purpose]}::integer * interval '1 hour'
      WHERE (
        SELECT count(*) FILTER (WHERE asked_by = ${asked_by}) < ${MAX_LINKS_OF_ASKER}::integer
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

/** The account whose valid token it is, or null. */
export async function findTokenAccount(
  database: Queryable,
  token: string,
  purpose: TokenPurpose,
): Promise<{ id: string; email: string } | null> {
  return database.queryOne(sql`
    SELECT accounts.id, email
    FROM account_tokens
    JOIN accounts ON accounts.id = account_id
    WHERE token_hash = ${hashToken(token)} AND purpose = ${purpose} AND expires_at > now()`);
}

/** Takes a token, which works once: false when it is not valid any more. */
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

/** Voids the account's links of a kind. */
export async function deleteAccountTokens(
  tx: Queryable,
  account_id: string,
  purpose: TokenPurpose,
): Promise<void> {
  await tx.execute(sql`
    DELETE FROM account_tokens WHERE account_id = ${account_id} AND purpose = ${purpose}`);
}

/** Forgets tokens a day after they expired: until then they count as mails sent. */
export async function deleteExpiredTokens(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM account_tokens WHERE expires_at < now() - interval '1 day'`);
}
