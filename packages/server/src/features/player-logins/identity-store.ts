import type { Queryable } from '../../platform/database/database.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import { nameOfPlayer, PLAYER_KEY } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import { deleteFailedClaims, dropClaims, findMerged } from './claim-store.ts';
import type { NamedPlayer } from './claim-store.ts';
import { IDENTITY_KEY, nameOfIdentity } from './identity.ts';
import type { Proof } from './identity.ts';
import type { LoginRequest } from './login-store.ts';

/**
 * The outcome of a request to store a new identity (a login of a player at a provider):
 * - `claimed`: the request names a player who already has another identity.
 * - `merged`: the request names a player who was merged into another one.
 * - null: the identity is already known, or its token was already used.
 */
type NewIdentity = 'made' | 'claimed' | 'merged' | null;

/**
 * Stores new identities and their players, in a transaction. No two requests may have the same identity. If
 * somebody vouches for a new identity, the identities of its player for which nobody vouched are dropped.
 * @returns the outcome of each request. For `claimed` and `merged`, nothing is stored.
 */
export async function insertIdentities(
  tx: Queryable,
  requests: readonly LoginRequest[],
): Promise<NewIdentity[]> {
  const wanted = requests.map(toNamedPlayer);
  // The studio's own token may name any player.
  const naming = wanted.filter(
    ({ is_claim, voucher }) => is_claim || voucher?.kind === 'server_key',
  );
  const merged = await findMerged(tx, naming);
  const isMerged = (player: PlayerKey) => merged.has(nameOfPlayer(player));
  const made = await insertNew(
    tx,
    wanted.filter((player) => !naming.includes(player) || !isMerged(player)),
  );
  const uncounted = await lockPlayers(tx, made);
  const claims = made.filter((player) => naming.includes(player));
  if ((await findMerged(tx, claims)).size > 0) throw new PlayerChanged();
  const failed = await deleteFailedClaims(tx, claims);
  const stored = made.filter((player) => !failed.has(nameOfNamed(player)));
  await countPlayers(
    tx,
    stored.filter((player) => uncounted.has(nameOfPlayer(player))),
  );
  await dropClaims(
    tx,
    stored.filter(({ voucher }) => voucher !== null),
  );
  return wanted.map((player) => {
    if (stored.includes(player)) return 'made';
    if (failed.has(nameOfNamed(player))) return 'claimed';
    return naming.includes(player) && isMerged(player) ? 'merged' : null;
  });
}

const toNamedPlayer = (request: LoginRequest): NamedPlayer => {
  const { tenant, proof, wanted_player_id, voucher, new_player_id } = request;
  return {
    ...tenant,
    ...proof,
    player_id: wanted_player_id ?? new_player_id,
    voucher: wanted_player_id === null ? null : voucher,
    is_claim: wanted_player_id !== null && voucher === null,
  };
};

const nameOfNamed = (player: NamedPlayer): string => nameOfIdentity(player, player);

/** Stores the identities that are new. @returns these identities. */
async function insertNew(tx: Queryable, wanted: readonly NamedPlayer[]): Promise<NamedPlayer[]> {
  // All transactions lock identities before players, and both in the order of their keys, so they cannot
  // deadlock.
  const inserted = await tx.query<Tenant & Proof>(sql`
    INSERT INTO player_identities
      (game_id, environment, provider, issuer, subject, player_id, secret_hash, is_claim, created_at)
    SELECT game_id, environment, provider, issuer, subject, player_id, secret_hash, is_claim,
           clock_timestamp()
    FROM ${rowsAs('wanted', wanted, {
      ...PLAYER_KEY,
      ...IDENTITY_KEY,
      secret_hash: 'text',
      token_hash: 'text',
      is_claim: 'boolean',
    })}
    WHERE NOT EXISTS (
      SELECT FROM used_login_tokens AS used
      WHERE used.game_id = wanted.game_id AND used.environment = wanted.environment
        AND used.token_hash = wanted.token_hash
    )
    ORDER BY game_id, environment, provider, subject, issuer
    ON CONFLICT DO NOTHING
    RETURNING game_id, environment, provider, issuer, subject`);
  const names = new Set(inserted.map((row) => nameOfIdentity(row, row)));
  return wanted.filter((player) => names.has(nameOfNamed(player)));
}

/**
 * Makes the players that do not exist yet, and then locks all the players, so that two claims of the same
 * player run one after the other.
 * @returns the players whom only events have named, as texts made by `nameOfPlayer`.
 */
async function lockPlayers(tx: Queryable, players: readonly PlayerKey[]): Promise<Set<string>> {
  const source = rowsAs('wanted', players, PLAYER_KEY);
  await tx.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT DISTINCT game_id, environment, player_id FROM ${source}
    ORDER BY game_id, environment, player_id
    ON CONFLICT DO NOTHING`);
  const locked = await tx.query<PlayerKey & { is_counted: boolean }>(sql`
    SELECT players.*
    FROM (SELECT DISTINCT * FROM ${source} ORDER BY game_id, environment, player_id) AS named
    CROSS JOIN LATERAL (
      SELECT game_id, environment, player_id, counted_at IS NOT NULL AS is_counted FROM players
      WHERE players.game_id = named.game_id AND players.environment = named.environment
        AND players.player_id = named.player_id
      OFFSET 0
      FOR NO KEY UPDATE
    ) AS players`);
  if (locked.length < new Set(players.map(nameOfPlayer)).size) throw new PlayerChanged();
  return new Set(locked.filter(({ is_counted }) => !is_counted).map(nameOfPlayer));
}

/** Lets players whom only events have named count against the limits of their games. */
async function countPlayers(tx: Queryable, players: readonly PlayerKey[]): Promise<void> {
  if (players.length === 0) return;
  await tx.execute(sql`
    UPDATE players SET counted_at = now()
    FROM (SELECT DISTINCT * FROM ${rowsAs('named', players, PLAYER_KEY)}) AS named
    WHERE players.game_id = named.game_id AND players.environment = named.environment
      AND players.player_id = named.player_id`);
}

/** Thrown when a player was erased or merged between two statements. The transaction must then run again. */
export class PlayerChanged extends Error {}
