import type { SuccessOf } from '@overworld/contract/operation';
import type { getOwnAccount as getOwnAccountOperation } from '@overworld/contract/accounts/accounts';
import type { AccountStatus } from '@overworld/contract/accounts/account';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** The part of an account that a login needs. */
export interface Credentials {
  id: string;
  email: string;
  password_hash: string;
  status: AccountStatus;
  token_generation: number;
}

type OwnAccount = SuccessOf<typeof getOwnAccountOperation>;

export const hasAccounts = async (database: Queryable): Promise<boolean> =>
  (await database.queryOne(sql`SELECT FROM accounts LIMIT 1`)) !== null;

export const hasAdministrator = async (database: Queryable): Promise<boolean> =>
  (await database.queryOne(sql`SELECT FROM accounts WHERE is_administrator LIMIT 1`)) !== null;

const ADMINISTRATION_LOCK = 7_301_988;

/**
 * Tells whether there is an administrator. Transactions that call this wait for each other, so only one of
 * them can make the first administrator.
 */
export async function lockAdministration(tx: Queryable): Promise<boolean> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${ADMINISTRATION_LOCK})`);
  return hasAdministrator(tx);
}

/**
 * Inserts an account. Returns false if another account has this e-mail address.
 * @param account.has_password False if nobody knows the password of the hash.
 */
export async function insertAccount(
  tx: Queryable,
  account: Omit<Credentials, 'token_generation'> & {
    is_administrator: boolean;
    has_password: boolean;
  },
): Promise<boolean> {
  const unknown_hash = account.has_password ? null : account.password_hash;
  const inserted = await tx.execute(sql`
    INSERT INTO accounts (id, email, password_hash, unknown_password_hash, status, is_administrator)
    VALUES (${account.id}, ${account.email}, ${account.password_hash}, ${unknown_hash},
            ${account.status}, ${account.is_administrator})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

export async function findCredentials(
  database: Queryable,
  email: string,
): Promise<Credentials | null> {
  return database.queryOne<Credentials>(sql`
    SELECT id, email, password_hash, status, token_generation
    FROM accounts
    WHERE fold_text(email) = fold_text(${email})`);
}

/** Lists the costs of stored password hashes in the form that hashes have, such as `m=19456,t=2,p=1`. */
export async function listHashCosts(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ cost: string }>(sql`
    SELECT DISTINCT split_part(password_hash, '$', 4) AS cost
    FROM accounts
    WHERE password_hash LIKE '$argon2id$v=%$m=%,t=%,p=%$%'
    ORDER BY 1`);
  return rows.map(({ cost }) => cost);
}

export async function findAccount(
  database: Queryable,
  account_id: string,
): Promise<Pick<Credentials, 'id' | 'email' | 'status'> | null> {
  return database.queryOne(sql`
    SELECT id, email, status FROM accounts WHERE id = ${account_id}`);
}

/** Replaces the password's hash by another hash of the same password. */
export async function updatePasswordHash(
  tx: Queryable,
  account: Credentials,
  password_hash: string,
): Promise<void> {
  await tx.execute(sql`
    UPDATE accounts SET password_hash = ${password_hash}
    WHERE id = ${account.id} AND password_hash = ${account.password_hash}`);
}

export async function updateLastLogin(tx: Queryable, account_id: string): Promise<void> {
  await tx.execute(sql`UPDATE accounts SET last_login_at = now() WHERE id = ${account_id}`);
}

/**
 * Sets a password and ends all sessions.
 * @param replaced The hash that the account must still have.
 * @returns the generation that new tokens must have; null when nothing was changed.
 */
export async function updatePassword(
  tx: Queryable,
  account_id: string,
  password_hash: string,
  replaced?: string,
): Promise<number | null> {
  const row = await tx.queryOne<{ token_generation: number }>(sql`
    UPDATE accounts
    SET password_hash = ${password_hash}, token_generation = token_generation + 1
    WHERE id = ${account_id} AND password_hash = COALESCE(${replaced}, password_hash)
    RETURNING token_generation`);
  return row?.token_generation ?? null;
}

/**
 * Replaces the password of an account by one that nobody knows, if nobody has proved to own its address yet.
 * @returns the account after the change; null when nothing was changed.
 */
export async function discardPassword(
  tx: Queryable,
  account_id: string,
  unknown_hash: string,
): Promise<Credentials | null> {
  return tx.queryOne<Credentials>(sql`
    UPDATE accounts
    SET password_hash = ${unknown_hash}, unknown_password_hash = ${unknown_hash},
        token_generation = token_generation + 1
    WHERE id = ${account_id} AND NOT is_administrator AND email_verified_at IS NULL
    RETURNING id, email, password_hash, status, token_generation`);
}

/** Sets the status. Returns null if the status of the account is not `from`. */
export async function updateStatus(
  tx: Queryable,
  account_id: string,
  from: AccountStatus,
  to: AccountStatus,
): Promise<{ id: string; email: string } | null> {
  return tx.queryOne(sql`
    UPDATE accounts
    SET status = ${to},
        status_before_lock = CASE WHEN ${to}::account_status = 'locked' THEN status END
    WHERE id = ${account_id} AND status = ${from}
    RETURNING id, email`);
}

/**
 * Marks the account's address as verified. Call this when the owner has used a
 * link in a mail to the address, or when an administrator vouches for the address.
 * @returns true if nobody had vouched for the address before. Administrators run the server, so they count as
 * verified.
 */
export async function markEmailVerified(tx: Queryable, account_id: string): Promise<boolean> {
  const marked = await tx.queryOne<{ is_administrator: boolean }>(sql`
    UPDATE accounts SET email_verified_at = now()
    WHERE id = ${account_id} AND email_verified_at IS NULL
    RETURNING is_administrator`);
  return marked?.is_administrator === false;
}

/** Gives a locked account its former status back. @returns false when the account is not locked. */
export async function unlockStatus(tx: Queryable, account_id: string): Promise<boolean> {
  const updated = await tx.execute(sql`
    UPDATE accounts
    SET status = COALESCE(status_before_lock, 'active'), status_before_lock = NULL
    WHERE id = ${account_id} AND status = 'locked'`);
  return updated === 1;
}

export async function getOwnAccount(
  database: Queryable,
  account_id: string,
): Promise<Pick<OwnAccount, 'created_at' | 'email_verified' | 'has_password' | 'memberships'>> {
  type Row = Pick<OwnAccount, 'created_at' | 'email_verified' | 'has_password'>;
  const account = await database.queryOne<Row>(sql`
    SELECT created_at, is_administrator OR email_verified_at IS NOT NULL AS email_verified,
           password_hash IS DISTINCT FROM unknown_password_hash AS has_password
    FROM accounts WHERE id = ${account_id}`);
  const memberships = await database.query<OwnAccount['memberships'][number]>(sql`
    SELECT game_id, games.name AS game_name, role
    FROM game_members
    JOIN games ON games.id = game_id
    WHERE account_id = ${account_id}
    ORDER BY fold_text(games.name) COLLATE "C", game_id`);
  return { ...account!, memberships };
}
