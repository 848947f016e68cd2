import { randomBytes } from 'node:crypto';
import { hashToken } from '../../platform/auth/random-token.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

export type ChallengePurpose = 'log_in' | 'add_totp' | 'add_passkey';

const LIFETIME_MINUTES: Record<ChallengePurpose, number> = {
  log_in: 5,
  // This is longer, so that the user can first install an authenticator app.
  add_totp: 30,
  add_passkey: 5,
};
const MAX_FAILURES = 5;

/** The account that must answer a challenge, and the sealed secret of the challenge. */
export interface ChallengeAccount {
  id: string;
  email: string;
  status: 'active' | 'pending' | 'locked';
  token_generation: number;
  sealed_secret: string | null;
}

/** Makes a challenge for one account and one purpose. It is stored, so every server accepts the answer. */
export async function insertChallenge(
  database: Queryable,
  account_id: string,
  purpose: ChallengePurpose,
  sealed_secret: string | null = null,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await database.execute(sql`
    INSERT INTO second_factor_challenges
      (challenge_hash, account_id, purpose, sealed_secret, token_generation, expires_at)
    SELECT ${hashToken(challenge)}, id, ${purpose}, ${sealed_secret}, token_generation,
           now() + ${LIFETIME_MINUTES[purpose]}::integer * interval '1 minute'
    FROM accounts WHERE id = ${account_id}`);
  return challenge;
}

/**
 * Finds the account of a challenge that can still be answered, and locks the account until the transaction
 * ends. Returns null if the challenge is unknown or used, has expired, or was answered wrongly five times, or
 * if the password was changed after the challenge was made.
 */
export async function lockChallenge(
  tx: Queryable,
  challenge: string,
  purpose: ChallengePurpose,
): Promise<ChallengeAccount | null> {
  const challenge_hash = hashToken(challenge);
  await tx.execute(sql`
    SELECT FROM accounts
    WHERE id = (SELECT account_id FROM second_factor_challenges
                WHERE challenge_hash = ${challenge_hash})
    FOR NO KEY UPDATE`);
  // The challenge is read after the lock, because an earlier transaction may have used it.
  return tx.queryOne<ChallengeAccount>(sql`
    SELECT accounts.id, email, status, accounts.token_generation, sealed_secret
    FROM second_factor_challenges AS challenges
    JOIN accounts ON accounts.id = account_id
    WHERE challenge_hash = ${challenge_hash} AND purpose = ${purpose} AND expires_at > now()
      AND failures < ${MAX_FAILURES}::integer
      AND challenges.token_generation = accounts.token_generation`);
}

export async function insertChallengeFailure(tx: Queryable, challenge: string): Promise<void> {
  await tx.execute(sql`
    UPDATE second_factor_challenges SET failures = failures + 1
    WHERE challenge_hash = ${hashToken(challenge)}`);
}

export async function deleteChallenge(tx: Queryable, challenge: string): Promise<void> {
  await tx.execute(sql`
    DELETE FROM second_factor_challenges WHERE challenge_hash = ${hashToken(challenge)}`);
}

/** Deletes the challenges that have expired before they were answered. */
export async function deleteExpiredChallenges(database: Queryable): Promise<void> {
  await database.execute(sql`DELETE FROM second_factor_challenges WHERE expires_at < now()`);
}
