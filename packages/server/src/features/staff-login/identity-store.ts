import type { AccountStatus } from '@overworld/contract/accounts/account';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** An account to which an identity logs in. */
export interface IdentityAccount {
  id: string;
  email: string;
  status: AccountStatus;
  token_generation: number;
}

/** The name of a person at an issuer, which never changes. */
export interface IdentityName {
  issuer: string;
  subject: string;
}

/** Finds the account of an identity, whatever its e-mail address is now. */
export async function findIdentityAccount(
  database: Queryable,
  { issuer, subject }: IdentityName,
): Promise<IdentityAccount | null> {
  return database.queryOne<IdentityAccount>(sql`
    SELECT id, email, status, token_generation
    FROM account_identities
    JOIN accounts ON accounts.id = account_id
    WHERE issuer = ${issuer} AND subject = ${subject}`);
}

/** An account that has no identity yet. */
interface JoinableAccount extends IdentityAccount {
  /** True if its owner has ever chosen a password. */
  has_password: boolean;
  /** True if somebody has proved to own the address. Administrators count, because they run the server. */
  email_verified: boolean;
}

const joinableAccounts = sql`
  SELECT id, email, status, token_generation,
         password_hash IS DISTINCT FROM unknown_password_hash AS has_password,
         is_administrator OR email_verified_at IS NOT NULL AS email_verified
  FROM accounts`;

export const findAccountByEmail = (
  database: Queryable,
  email: string,
): Promise<JoinableAccount | null> =>
  database.queryOne(sql`${joinableAccounts} WHERE fold_text(email) = fold_text(${email})`);

/** Finds an account, and locks its row. */
export const lockAccount = (tx: Queryable, account_id: string): Promise<JoinableAccount | null> =>
  tx.queryOne(sql`${joinableAccounts} WHERE id = ${account_id} FOR NO KEY UPDATE`);

/**
 * Binds an identity to an account.
 * @returns false when the account has another identity of the issuer, or the identity another account.
 */
export async function insertIdentity(
  tx: Queryable,
  { issuer, subject }: IdentityName,
  account_id: string,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    INSERT INTO account_identities (issuer, subject, account_id)
    VALUES (${issuer}, ${subject}, ${account_id})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Tells whether the account has another identity of the issuer, or the identity another account. */
export async function findContradiction(
  database: Queryable,
  { issuer, subject }: IdentityName,
  account_id: string,
): Promise<boolean> {
  const row = await database.queryOne(sql`
    SELECT FROM account_identities
    WHERE issuer = ${issuer} AND (subject = ${subject}) <> (account_id = ${account_id})
    LIMIT 1`);
  return row !== null;
}

export async function updateIdentityUse(
  tx: Queryable,
  { issuer, subject }: IdentityName,
): Promise<void> {
  await tx.execute(sql`
    UPDATE account_identities SET last_login_at = now()
    WHERE issuer = ${issuer} AND subject = ${subject}`);
}

/** Deletes the identities of an account. @returns their issuers. */
export async function deleteIdentities(tx: Queryable, account_id: string): Promise<string[]> {
  const deleted = await tx.query<{ issuer: string }>(sql`
    DELETE FROM account_identities WHERE account_id = ${account_id} RETURNING issuer`);
  return deleted.map(({ issuer }) => issuer);
}
