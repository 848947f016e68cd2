import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/**
 * The name of the row in the table `installation` that holds the key for encrypting secrets. This key is not
 * the secret that signs tokens, so authenticator apps keep working when that secret changes.
 */
export const KEY_NAME = 'second_factor_key';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret. The result can be decrypted only with the same `owner`,
 * which is for example the id of an account.
 */
export async function sealSecret(tx: Queryable, owner: string, secret: string): Promise<string> {
  const key = await requireKey(tx);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  cipher.setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Decrypts a secret. Returns null if it was encrypted with another key or for another owner. After a backup
 * was restored without secrets, the installation has a new key, and no restored secret can be decrypted.
 */
export async function openSecret(
  tx: Queryable,
  owner: string,
  text: string,
): Promise<string | null> {
  const key = await findKey(tx);
  if (key === null) return null;
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * Makes a key for hashes that people see, of texts of which they may not see all: without it, they could try out
 * the rest. It differs between installations.
 */
export async function makeHashKey(tx: Queryable, purpose: string): Promise<Buffer> {
  return createHmac('sha256', await requireKey(tx))
    .update(purpose)
    .digest();
}

/** Reads the key, and makes it if the installation has none: a backup without secrets does not hold it. */
async function requireKey(tx: Queryable): Promise<Buffer> {
  const known = await findKey(tx);
  if (known !== null) return known;
  await tx.execute(sql`
    INSERT INTO installation (name, value)
    VALUES (${KEY_NAME}, ${randomBytes(KEY_BYTES).toString('base64url')})
    ON CONFLICT (name) DO NOTHING`);
  return (await findKey(tx))!;
}

async function findKey(tx: Queryable): Promise<Buffer | null> {
  const row = await tx.queryOne<{ value: string }>(sql`
    SELECT value FROM installation WHERE name = ${KEY_NAME}`);
  return row && Buffer.from(row.value, 'base64url');
}
