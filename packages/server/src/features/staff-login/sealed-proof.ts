import { openSecret, sealSecret } from '../../platform/auth/sealing.ts';
import type { Queryable } from '../../platform/database/database.ts';

/**
 * Makes a text that proves something for a while. Only this installation can read or make it, so nothing is
 * stored for it.
 * @param purpose The proof counts for this purpose alone.
 */
export const sealProof = (
  tx: Queryable,
  purpose: string,
  proof: object,
  lifetime_s: number,
): Promise<string> =>
  sealSecret(
    tx,
    `staff-login ${purpose}`,
    JSON.stringify({ ...proof, expires_ms: Date.now() + lifetime_s * 1000 }),
  );

/** Reads a proof. @returns null when it was changed, made for another purpose, or is too old. */
export async function openProof<T>(
  tx: Queryable,
  purpose: string,
  text: string,
): Promise<T | null> {
  // Shorter texts have no room for the tag of the encryption.
  if (!/^[\w-]{64,}$/.test(text)) return null;
  const opened = await openSecret(tx, `staff-login ${purpose}`, text);
  if (opened === null) return null;
  const proof = JSON.parse(opened) as T & { expires_ms: number };
  return proof.expires_ms > Date.now() ? proof : null;
}
