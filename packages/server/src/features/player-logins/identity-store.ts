import type { Queryable } from '../../platform/database/database.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import { nameOfPlayer, PLAYER_KEY } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import { nameOfIdentity } from './identity.ts';
import type { Proof } from './identity.ts';
import { REPEATABLE_SINCE } from './login-store.ts';
import type { LoginRequest } from './login-store.ts';

/**
 * The outcome of a request to store a new identity (a login of a player at a provider):
 * - `claimed`: the request names a player who already has another identity.
 * - `refused`: the request may not claim an existing player.
 * - null: the identity is already known, or its token was already used.
 */
type NewIdentity = 'made' | 'claimed' | 'refused' | null;

/**
 * Stores new identities and their players, in a transaction. No two requests may have the same identity.
 * @returns the outcome of each request. For `claimed` and `refused`, nothing is stored.
 */
export async function insertIdentities(
  tx: Queryable,
  requests: readonly LoginRequest[],
): Promise<NewIdentity[]> {
  const wanted = requests.map(({ tenant, proof, wanted_player_id, new_player_id }) => ({
    ...tenant,
    ...proof,
    player_id: proof.vouched_player_id ?? wanted_player_id ?? new_player_id,
  }));
  // All transactions lock identities before players, and both in the order of their keys, so they cannot
  // deadlock.
  const inserted = await tx.query<Tenant & Proof>(sql`
    INSERT INTO player_identities
      (game_id, environment, provider, subject, player_id, secret_hash, created_at)
    SELECT game_id, environment, provider, subject, player_id, secret_hash, clock_timestamp()
    FROM ${rowsAs('wanted', wanted, {
      ...PLAYER_KEY,
      provider: 'text',
      subject: 'text',
      secret_hash: 'text',
      token_hash: 'text',
    })}
    WHERE NOT EXISTS (
      SELECT FROM used_login_tokens AS used
      WHERE used.game_id = wanted.game_id AND used.environment = wanted.environment
        AND used.token_hash = wanted.token_hash AND used_at <= ${REPEATABLE_SINCE}
    )
    ORDER BY game_id, environment, provider, subject
    ON CONFLICT DO NOTHING
    RETURNING game_id, environment, provider, subject`);
  const made = new Set(inserted.map((row) => nameOfIdentity(row, row)));
  const isMade = ({ tenant, proof }: LoginRequest) => made.has(nameOfIdentity(tenant, proof));
  const { new_players, uncounted } = await lockPlayers(
    tx,
    wanted.filter((_, place) => isMade(requests[place]!)),
  );
  const claims = wanted.flatMap((identity, place) => {
    const { proof, wanted_player_id, may_claim } = requests[place]!;
    const isClaim = proof.vouched_player_id === null && wanted_player_id !== null;
    if (!isClaim || !isMade(requests[place]!)) return [];
    return [{ ...identity, is_refused: !may_claim && !new_players.has(nameOfPlayer(identity)) }];
  });
  const failed = await deleteFailedClaims(tx, claims);
  const outcomes = requests.map((request): NewIdentity => {
    if (!isMade(request)) return null;
    return failed.get(nameOfIdentity(request.tenant, request.proof)) ?? 'made';
  });
  const logged_in = wanted.filter((_, place) => outcomes[place] === 'made');
  await countPlayers(
    tx,
    logged_in.filter((player) => uncounted.has(nameOfPlayer(player))),
  );
  return outcomes;
}

/**
 * Makes the players that do not exist yet, and then locks all the players, so that two claims of the same
 * player run one after the other.
 * @returns the new players, and the existing ones whom only events have named. Both are texts made by
 * `nameOfPlayer`.
 */
async function lockPlayers(tx: Queryable, players: readonly PlayerKey[]) {
  const source = rowsAs('wanted', players, PLAYER_KEY);
  const made = await tx.query<PlayerKey>(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT DISTINCT game_id, environment, player_id FROM ${source}
    ORDER BY game_id, environment, player_id
    ON CONFLICT DO NOTHING
    RETURNING game_id, environment, player_id`);
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
  if (locked.length < new Set(players.map(nameOfPlayer)).size) throw new PlayerErased();
  const uncounted = locked.filter(({ is_counted }) => !is_counted);
  return {
    new_players: new Set(made.map(nameOfPlayer)),
    uncounted: new Set(uncounted.map(nameOfPlayer)),
  };
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

/** Thrown when a player was erased between two statements. The transaction must then run again. */
export class PlayerErased extends Error {}

/**
 * Deletes each new identity whose claim is refused, or whose player already had another identity.
 * @returns the outcome of each deleted identity. The map's key is the text made by `nameOfIdentity`.
 */
async function deleteFailedClaims(
  tx: Queryable,
  claims: readonly (PlayerKey & Proof & { is_refused: boolean })[],
): Promise<Map<string, 'claimed' | 'refused'>> {
  if (claims.length === 0) return new Map();
  const deleted = await tx.query<Tenant & Proof & { is_refused: boolean }>(sql`
    WITH claim AS MATERIALIZED (
      SELECT *, row_number() OVER (PARTITION BY game_id, environment, player_id) AS turn
      FROM ${rowsAs('claim', claims, { ...PLAYER_KEY, provider: 'text', subject: 'text', is_refused: 'boolean' })}
    )
    DELETE FROM player_identities AS own
    USING claim
    WHERE own.game_id = claim.game_id AND own.environment = claim.environment
      AND own.provider = claim.provider AND own.subject = claim.subject
      AND (is_refused OR turn > 1 OR EXISTS (
        SELECT FROM player_identities AS other
        WHERE other.game_id = claim.game_id AND other.environment = claim.environment
          AND other.player_id = claim.player_id
          AND NOT EXISTS (
            SELECT FROM claim AS same
            WHERE same.game_id = other.game_id AND same.environment = other.environment
              AND same.provider = other.provider AND same.subject = other.subject)))
    RETURNING own.game_id, own.environment, own.provider, own.subject, is_refused`);
  return new Map(
    deleted.map((row) => [nameOfIdentity(row, row), row.is_refused ? 'refused' : 'claimed']),
  );
}
