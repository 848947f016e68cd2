import type { Passkey } from '@overworld/contract/accounts/passkeys';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The part of a passkey that WebAuthn defines. */
export interface Credential {
  credential_id: string;
  /** Base64url. */
  public_key: string;
  sign_count: number;
  transports: string[];
}

const shown = sql`id, name, created_at, last_used_at`;

/** Lists the account's passkeys, the oldest first. */
export async function listPasskeys(database: Queryable, account_id: string): Promise<Passkey[]> {
  return database.query<Passkey>(sql`
    SELECT ${shown} FROM passkeys WHERE account_id = ${account_id} ORDER BY passkeys.created_at, id`);
}

/** Lists the account's passkeys that browsers offer at this host name. */
export async function listCredentials(
  database: Queryable,
  account_id: string,
  rp_id: string,
): Promise<Credential[]> {
  return database.query<Credential>(sql`
    SELECT credential_id, public_key, sign_count, transports
    FROM passkeys
    WHERE account_id = ${account_id} AND rp_id = ${rp_id}
    ORDER BY created_at, id`);
}

/** @returns null when any account has this passkey already. */
export async function insertPasskey(
  tx: Queryable,
  account_id: string,
  { name, rp_id, ...credential }: Credential & { name: string; rp_id: string },
): Promise<Passkey | null> {
  return tx.queryOne<Passkey>(sql`
    INSERT INTO passkeys
      (account_id, name, rp_id, credential_id, public_key, sign_count, transports)
    VALUES (${account_id}, ${name}, ${rp_id}, ${credential.credential_id},
            ${credential.public_key}, ${credential.sign_count}, ${credential.transports}::text[])
    ON CONFLICT (credential_id) DO NOTHING
    RETURNING ${shown}`);
}

/** Stores the use of a passkey, with its new count of signatures. */
export async function updatePasskeyUse(
  tx: Queryable,
  credential_id: string,
  sign_count: number,
): Promise<void> {
  await tx.execute(sql`
    UPDATE passkeys SET sign_count = ${sign_count}, last_used_at = now()
    WHERE credential_id = ${credential_id}`);
}

/** Finds the name of a passkey; null when the account has no such passkey. */
export async function findPasskeyName(
  tx: Queryable,
  account_id: string,
  id: string,
): Promise<string | null> {
  const row = await tx.queryOne<{ name: string }>(sql`
    SELECT name FROM passkeys WHERE id = ${id} AND account_id = ${account_id}`);
  return row?.name ?? null;
}

export async function updatePasskeyName(
  tx: Queryable,
  account_id: string,
  id: string,
  name: string,
): Promise<Passkey> {
  const passkey = await tx.queryOne<Passkey>(sql`
    UPDATE passkeys SET name = ${name} WHERE id = ${id} AND account_id = ${account_id}
    RETURNING ${shown}`);
  return passkey!;
}

export async function deletePasskey(tx: Queryable, account_id: string, id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM passkeys WHERE id = ${id} AND account_id = ${account_id}`);
}

/** Returns the number of deleted passkeys. */
export async function deletePasskeys(tx: Queryable, account_id: string): Promise<number> {
  return tx.execute(sql`DELETE FROM passkeys WHERE account_id = ${account_id}`);
}
