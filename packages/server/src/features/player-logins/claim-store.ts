import { insertAuditEntry } from '../../platform/audit.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import { nameOfPlayer, PLAYER_KEY } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import { IDENTITY_KEY, nameOfIdentity } from './identity.ts';
import type { IdentityKey, IdentityName, Proof } from './identity.ts';
import { deleteIdentity } from './links/link-store.ts';
import type { Voucher } from './login-store.ts';

/** A new identity with the player whom it gets. */
export interface NamedPlayer extends PlayerKey, Proof {
  /** The voucher for the player whom the login names; null without a voucher or without a name. */
  voucher: Voucher | null;
  /** True if the login names its player and nobody vouches for it. */
  is_claim: boolean;
}

/** Finds the players who were merged into others. @returns texts made by `nameOfPlayer`. */
export async function findMerged(
  tx: Queryable,
  players: readonly PlayerKey[],
): Promise<Set<string>> {
  if (players.length === 0) return new Set();
  const merged = await tx.query<PlayerKey>(sql`
    SELECT named.*
    FROM ${rowsAs('named', players, PLAYER_KEY)}
    CROSS JOIN LATERAL (
      SELECT 1 FROM player_merges AS merge
      WHERE merge.game_id = named.game_id AND merge.environment = named.environment
        AND merge.from_player_id = named.player_id
      OFFSET 0
    ) AS merge`);
  return new Set(merged.map(nameOfPlayer));
}

/**
 * Deletes each new identity whose player already had another identity. For an identity with a voucher, only
 * other identities with a voucher count. Of several new identities of a player, one stays, with a voucher if
 * any has one.
 * @returns the deleted identities, as texts made by `nameOfIdentity`.
 */
export async function deleteFailedClaims(
  tx: Queryable,
  claims: readonly NamedPlayer[],
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const deleted = await tx.query<Tenant & IdentityKey>(sql`
    WITH claim AS MATERIALIZED (
      SELECT *, row_number() OVER (
               PARTITION BY game_id, environment, player_id ORDER BY is_claim) AS turn
      FROM ${rowsAs('claim', claims, { ...PLAYER_KEY, ...IDENTITY_KEY, is_claim: 'boolean' })}
    )
    DELETE FROM player_identities AS own
    USING claim
    WHERE own.game_id = claim.game_id AND own.environment = claim.environment
      AND own.provider = claim.provider AND own.issuer = claim.issuer AND own.subject = claim.subject
      AND (turn > 1 OR EXISTS (
        SELECT FROM player_identities AS other
        WHERE other.game_id = claim.game_id AND other.environment = claim.environment
          AND other.player_id = claim.player_id AND (claim.is_claim OR NOT other.is_claim)
          AND NOT EXISTS (
            SELECT FROM claim AS same
            WHERE same.game_id = other.game_id AND same.environment = other.environment
              AND same.provider = other.provider AND same.issuer = other.issuer
              AND same.subject = other.subject)))
    RETURNING own.game_id, own.environment, own.provider, own.issuer, own.subject`);
  return new Set(deleted.map((row) => nameOfIdentity(row, row)));
}

/**
 * Drops the identities that nobody vouched for, with their sessions, from players to whom somebody now
 * vouches for another identity. The audit log names them.
 */
export async function dropClaims(tx: Queryable, vouched: readonly NamedPlayer[]): Promise<void> {
  if (vouched.length === 0) return;
  const claims = await tx.query<PlayerKey & IdentityName>(sql`
    SELECT vouched.*, provider, subject
    FROM (SELECT DISTINCT * FROM ${rowsAs('vouched', vouched, PLAYER_KEY)}) AS vouched
    CROSS JOIN LATERAL (
      SELECT provider, subject FROM player_identities
      -- Only the player is looked up by an index: the primary key would read all players of the game.
      WHERE player_id = vouched.player_id AND game_id IS NOT DISTINCT FROM vouched.game_id
        AND environment IS NOT DISTINCT FROM vouched.environment AND is_claim
      OFFSET 0
    ) AS claim`);
  for (const { provider, subject, ...player } of claims) {
    await deleteIdentity(tx, player, { provider, subject });
    const { environment, player_id } = player;
    const by = vouched.find((each) => nameOfPlayer(each) === nameOfPlayer(player))!;
    await insertAuditEntry(
      tx,
      { actor: { account: null, ip: null }, game_id: player.game_id },
      'drop_player_login',
      player_id,
      { environment, player_id, provider, subject, ...describeVoucher(by) },
    );
  }
}

const describeVoucher = ({ voucher, provider, subject }: NamedPlayer) =>
  voucher?.kind === 'server_key' ? { key_id: voucher.key_id } : { login: { provider, subject } };
