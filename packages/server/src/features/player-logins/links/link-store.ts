import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfPlayer, isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../../platform/players/player-key.ts';
import type { IdentityKey, IdentityName, PlayerSession, Proof } from '../identity.ts';
import { IS_OPEN } from '../login-store.ts';
import { sessionEnded } from '../sessions/refresh-token.ts';

/** An identity as it is stored. */
export interface StoredIdentity extends IdentityName {
  player_id: string;
  secret_hash: string | null;
  created_at: string;
}

const columns = sql`provider, subject, player_id, secret_hash, created_at`;

/** Lists the identities of a player, the oldest first. */
export const listIdentities = (
  queryable: Queryable,
  player: PlayerKey,
): Promise<StoredIdentity[]> =>
  queryable.query<StoredIdentity>(sql`
    SELECT ${columns} FROM player_identities
    WHERE ${isOfPlayer(player)}
    ORDER BY created_at, provider, subject`);

export const findIdentity = (
  queryable: Queryable,
  tenant: Tenant,
  { provider, issuer, subject }: IdentityKey,
): Promise<StoredIdentity | null> =>
  queryable.queryOne<StoredIdentity>(sql`
    SELECT ${columns} FROM player_identities
    WHERE ${isOfTenant(tenant)} AND provider = ${provider} AND subject = ${subject}
      AND issuer IN (${issuer}, '')`);

/**
 * Stores an identity. Waits for other transactions that are storing the same identity.
 * @param is_claim True if nobody has vouched for the login that adds this one.
 * @returns false when a player has the identity already.
 */
export async function insertIdentity(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  { provider, issuer, subject, secret_hash }: Proof,
  is_claim: boolean,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    INSERT INTO player_identities
      (game_id, environment, provider, issuer, subject, player_id, secret_hash, is_claim)
    VALUES (${game_id}, ${environment}, ${provider}, ${issuer}, ${subject}, ${player_id},
            ${secret_hash}, ${is_claim})
    ON CONFLICT DO NOTHING`);
  return inserted > 0;
}

/**
 * Deletes an identity, the sessions that began with it, and the code for moving the player to another device.
 * @returns true if the player had this identity.
 */
export async function deleteIdentity(
  tx: Queryable,
  player: PlayerKey,
  { provider, subject }: IdentityName,
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    DELETE FROM player_identities
    WHERE ${isOfPlayer(player)} AND provider = ${provider} AND subject = ${subject}`);
  await tx.execute(sql`
    DELETE FROM player_login_sessions
    WHERE ${isOfPlayer(player)} AND provider = ${provider} AND subject = ${subject}`);
  await tx.execute(sql`DELETE FROM player_move_codes WHERE ${isOfPlayer(player)}`);
  return deleted > 0;
}

/**
 * Locks a player, so that changes to the player's identities run one after the other.
 * @returns false when there is no such player.
 */
export async function lockIdentities(tx: Queryable, player: PlayerKey): Promise<boolean> {
  const locked = await tx.execute(sql`
    SELECT FROM players WHERE ${isOfPlayer(player)} FOR NO KEY UPDATE`);
  return locked > 0;
}

/**
 * Requires that a session is still open, because a player token stays valid after its session has
 * ended. Without this check, somebody with a copy of the token could link a login after the player
 * or the studio has ended the session. The caller must have locked the player's identities.
 * @throws ApiError 401 when the session has ended.
 */
export async function requireOpenSession(tx: Queryable, session: PlayerSession): Promise<void> {
  const open = await tx.execute(sql`
    SELECT FROM player_login_sessions
    WHERE ${isOfPlayer(session)} AND session_id = ${session.session_id} AND ${IS_OPEN}`);
  if (open === 0) throw sessionEnded();
}

/** Tells whether a session began with a login that took its player over while nobody vouched for it. */
export const isOfClaim = async (tx: Queryable, session: PlayerSession): Promise<boolean> =>
  (await tx.execute(sql`
    SELECT FROM player_login_sessions AS session
    JOIN player_identities AS own USING (game_id, environment, player_id, provider, subject)
    WHERE session.game_id = ${session.game_id} AND session.environment = ${session.environment}
      AND session.player_id = ${session.player_id} AND session_id = ${session.session_id}
      AND is_claim`)) > 0;

/**
 * Stores the time of the use of a login token that a provider has issued.
 * @returns false when the token was used before.
 */
export async function useToken(
  tx: Queryable,
  { game_id, environment }: Tenant,
  { token_hash, token_expires_ms }: Proof,
): Promise<boolean> {
  if (token_hash === null) return true;
  const used = await tx.execute(sql`
    INSERT INTO used_login_tokens (game_id, environment, token_hash, used_at, expires_at)
    VALUES (${game_id}, ${environment}, ${token_hash}, now(),
            ${new Date(token_expires_ms).toISOString()})
    ON CONFLICT DO NOTHING`);
  return used > 0;
}
