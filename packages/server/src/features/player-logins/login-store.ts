import {
  MAX_SESSIONS_OF_PLAYER,
  REFRESH_TOKEN_DAYS,
  REPEAT_SECONDS,
} from '@overworld/contract/players/logins';
import type { Queryable } from '../../platform/database/database.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import { nameOfPlayer, PLAYER_KEY } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import { nameOfIdentity } from './identity.ts';
import type { Proof } from './identity.ts';

/** A login to carry out. */
export interface LoginRequest {
  tenant: Tenant;
  proof: Proof;
  /** The player whom a new identity takes over; null: a new one. */
  wanted_player_id: string | null;
  /** The id of the player whom the login makes, if it makes one. */
  new_player_id: string;
  session_id: string;
  token_secret: string;
}

/** The stored state of a login. */
export interface KnownLogin {
  player_id: string;
  /** Whether a device has sent its secret. */
  is_right: boolean;
  /** Whether the token of the provider may be used, now or again. */
  is_fresh: boolean;
  providers: string[];
  /** Sessions that were open before. */
  sessions: number;
}

/** SQL: when a session that is used now expires. Whole days, so that its index rarely changes. */
export const SESSION_EXPIRY = sql`
  (date_trunc('day', now()) + ${REFRESH_TOKEN_DAYS + 1}::integer * interval '1 day')`;

const isRepeatable = sql`now() - ${REPEAT_SECONDS}::integer * interval '1 second'`;

const listSent = (requests: readonly LoginRequest[]) =>
  rowsAs(
    'sent',
    requests.map(({ tenant, proof, ...others }, place) => ({
      place,
      ...tenant,
      ...proof,
      ...others,
      token_expires_at: proof.token_hash && new Date(proof.token_expires_ms).toISOString(),
    })),
    {
      place: 'integer',
      game_id: 'uuid',
      environment: 'environment',
      provider: 'text',
      subject: 'text',
      secret_hash: 'text',
      session_id: 'uuid',
      token_secret: 'text',
      token_hash: 'text',
      token_expires_at: 'timestamptz',
    },
  );

/**
 * Logs known identities in: opens a session for each whose secret is right and whose token may be used.
 * The lock on the identity keeps it and its player from being erased meanwhile.
 * @returns null for each identity that nobody has.
 */
export async function logInKnown(
  queryable: Queryable,
  requests: readonly LoginRequest[],
): Promise<(KnownLogin | null)[]> {
  const rows = await queryable.query<KnownLogin & { place: number }>(sql`
    WITH sent AS MATERIALIZED (
      SELECT * FROM ${listSent(requests)}
    ), known AS MATERIALIZED (
      SELECT sent.*, identity.player_id, identity.secret_hash IS NOT DISTINCT FROM sent.secret_hash AS is_right
      FROM sent
      CROSS JOIN LATERAL (
        SELECT player_id, secret_hash
        FROM player_identities
        WHERE game_id = sent.game_id AND environment = sent.environment
          AND provider = sent.provider AND subject = sent.subject
        OFFSET 0
        FOR KEY SHARE
      ) AS identity
    ), used AS (
      INSERT INTO used_login_tokens AS earlier (game_id, environment, token_hash, used_at, expires_at)
      SELECT DISTINCT ON (game_id, environment, token_hash)
             game_id, environment, token_hash, now(), token_expires_at
      FROM known
      WHERE token_hash IS NOT NULL
      ORDER BY game_id, environment, token_hash
      ON CONFLICT (game_id, environment, token_hash) DO UPDATE SET used_at = earlier.used_at
      WHERE earlier.used_at > ${isRepeatable}
      RETURNING game_id, environment, token_hash
    ), checked AS MATERIALIZED (
      SELECT known.*, token_hash IS NULL
             OR (game_id, environment, token_hash) IN (TABLE used) AS is_fresh
      FROM known
    ), opened AS (
      INSERT INTO player_login_sessions (game_id, environment, player_id, session_id, provider,
        subject, token_secret, generation, refreshed_at, expires_at)
      SELECT game_id, environment, player_id, session_id, provider, subject, token_secret, 0, now(),
             ${SESSION_EXPIRY}
      FROM checked
      WHERE is_right AND is_fresh
    )
    SELECT place, player_id, is_right, is_fresh, providers, sessions
    FROM checked
    CROSS JOIN LATERAL (
      SELECT array_agg(provider) AS providers
      FROM player_identities
      -- Only the player is looked up by an index: the primary key would read all players of the game.
      WHERE player_id = checked.player_id AND game_id IS NOT DISTINCT FROM checked.game_id
        AND environment IS NOT DISTINCT FROM checked.environment
      OFFSET 0
    ) AS linked
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS sessions
      FROM player_login_sessions
      WHERE game_id = checked.game_id AND environment = checked.environment
        AND player_id = checked.player_id
      OFFSET 0
    ) AS open`);
  const known: (KnownLogin | null)[] = requests.map(() => null);
  for (const { place, ...login } of rows) {
    known[place] = { ...login, providers: sortProviders(login.providers) };
  }
  return known;
}

/** Each provider once, in the order of names. PostgreSQL would choose a wider index for that order. */
export const sortProviders = (providers: readonly string[]): string[] =>
  [...new Set(providers)].toSorted();

/** The outcome of a new identity; null: it is known already, or its token was used. */
export type NewIdentity = 'made' | 'claimed' | null;

/**
 * Stores new identities with their players, in a transaction. No two requests may have the same
 * identity.
 * @returns `claimed` for a player whom another identity has; nothing is stored for it.
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
  // Identities before players, both in the order of their keys: so transactions never lock in a circle.
  const inserted = await tx.query<Tenant & Proof>(sql`
    INSERT INTO player_identities (game_id, environment, provider, subject, player_id, secret_hash)
    SELECT game_id, environment, provider, subject, player_id, secret_hash
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
        AND used.token_hash = wanted.token_hash AND used_at <= ${isRepeatable}
    )
    ORDER BY game_id, environment, provider, subject
    ON CONFLICT DO NOTHING
    RETURNING game_id, environment, provider, subject`);
  const made = new Set(inserted.map((row) => nameOfIdentity(row, row)));
  const isMade = ({ tenant, proof }: LoginRequest) => made.has(nameOfIdentity(tenant, proof));
  await lockPlayers(
    tx,
    wanted.filter((_, place) => isMade(requests[place]!)),
  );
  const claims = wanted.filter((_, place) => {
    const { proof, wanted_player_id } = requests[place]!;
    const isClaim = proof.vouched_player_id === null && wanted_player_id !== null;
    return isClaim && isMade(requests[place]!);
  });
  const refused = await deleteClaimsOfOthers(tx, claims);
  return requests.map((request) => {
    if (!isMade(request)) return null;
    return refused.has(nameOfIdentity(request.tenant, request.proof)) ? 'claimed' : 'made';
  });
}

/** Makes the players that are new, and locks all of them, so that claims of a player wait for each other. */
async function lockPlayers(tx: Queryable, players: readonly PlayerKey[]): Promise<void> {
  const source = rowsAs('wanted', players, PLAYER_KEY);
  await tx.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT DISTINCT game_id, environment, player_id FROM ${source}
    ORDER BY game_id, environment, player_id
    ON CONFLICT DO NOTHING`);
  const locked = await tx.query<PlayerKey>(sql`
    SELECT players.game_id, players.environment, players.player_id
    FROM (SELECT DISTINCT * FROM ${source} ORDER BY game_id, environment, player_id) AS named
    CROSS JOIN LATERAL (
      SELECT game_id, environment, player_id FROM players
      WHERE players.game_id = named.game_id AND players.environment = named.environment
        AND players.player_id = named.player_id
      OFFSET 0
      FOR NO KEY UPDATE
    ) AS players`);
  if (locked.length < new Set(players.map(nameOfPlayer)).size) throw new PlayerErased();
}

/** The player was erased between two statements; the transaction must run again. */
export class PlayerErased extends Error {}

/** Deletes each new identity whose player had another one. @returns their names. */
async function deleteClaimsOfOthers(
  tx: Queryable,
  claims: readonly (PlayerKey & Proof)[],
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const deleted = await tx.query<Tenant & Proof>(sql`
    WITH claim AS MATERIALIZED (
      SELECT *, row_number() OVER (PARTITION BY game_id, environment, player_id) AS turn
      FROM ${rowsAs('claim', claims, { ...PLAYER_KEY, provider: 'text', subject: 'text' })}
    )
    DELETE FROM player_identities AS own
    USING claim
    WHERE own.game_id = claim.game_id AND own.environment = claim.environment
      AND own.provider = claim.provider AND own.subject = claim.subject
      AND (turn > 1 OR EXISTS (
        SELECT FROM player_identities AS other
        WHERE other.game_id = claim.game_id AND other.environment = claim.environment
          AND other.player_id = claim.player_id
          AND NOT EXISTS (
            SELECT FROM claim AS same
            WHERE same.game_id = other.game_id AND same.environment = other.environment
              AND same.provider = other.provider AND same.subject = other.subject)))
    RETURNING own.game_id, own.environment, own.provider, own.subject`);
  return new Set(deleted.map((row) => nameOfIdentity(row, row)));
}

/** Ends the sessions of a player that were used least recently, down to the limit. */
export async function deleteOldestSessions(queryable: Queryable, player: PlayerKey): Promise<void> {
  const { game_id, environment, player_id } = player;
  await queryable.execute(sql`
    DELETE FROM player_login_sessions
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
      AND session_id IN (
        SELECT session_id FROM player_login_sessions
        WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
        ORDER BY refreshed_at DESC, session_id
        OFFSET ${MAX_SESSIONS_OF_PLAYER})`);
}
