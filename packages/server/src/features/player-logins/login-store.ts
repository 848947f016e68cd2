import {
  MAX_SESSIONS_OF_PLAYER,
  REFRESH_TOKEN_DAYS,
} from '@overworld/contract/players/login-limits';
import type { Queryable } from '../../platform/database/database.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import { IDENTITY_KEY } from './identity.ts';
import type { Proof } from './identity.ts';

/** The proof that a login may have the player whom it names: the token of the login, or a server key. */
export type Voucher = { kind: 'login_token' } | { kind: 'server_key'; key_id: string };

/** A login to carry out. */
export interface LoginRequest {
  tenant: Tenant;
  proof: Proof;
  /** The player of a new identity. If null, a new identity gets a new player. */
  wanted_player_id: string | null;
  /** The voucher for `wanted_player_id`; null if nobody vouches for it. */
  voucher: Voucher | null;
  /** The id of the player whom the login makes, if it makes one. */
  new_player_id: string;
  session_id: string;
  token_secret: string;
}

/** The stored state of a login. */
export interface KnownLogin {
  player_id: string;
  /** True if the secret of the device is right. Always true for other providers. */
  is_right: boolean;
  /** True if the provider's token was never used before. Always true for logins without such a token. */
  is_fresh: boolean;
  providers: string[];
  /** The number of sessions that the player had before this login. */
  sessions: number;
}

/**
 * SQL for the time when a session that is used now expires. The time is in whole
 * days, so further uses of the session rarely change the index on this time.
 */
export const SESSION_EXPIRY = sql`
  (date_trunc('day', now()) + ${REFRESH_TOKEN_DAYS + 1}::integer * interval '1 day')`;

/** SQL that is true if a session is neither ended nor expired. */
export const IS_OPEN = sql`(ended_at IS NULL AND expires_at > now())`;

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
      ...IDENTITY_KEY,
      secret_hash: 'text',
      session_id: 'uuid',
      token_secret: 'text',
      token_hash: 'text',
      token_expires_at: 'timestamptz',
    },
  );

/**
 * Logs in known identities. Opens a session for each identity whose secret is right and whose token may
 * be used. The identities are locked, so neither an identity nor its player can be erased meanwhile.
 * @returns the state of each login, or null for an identity that no player has.
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
          AND provider = sent.provider AND subject = sent.subject AND issuer IN (sent.issuer, '')
        OFFSET 0
        FOR KEY SHARE
      ) AS identity
    ), used AS (
      INSERT INTO used_login_tokens (game_id, environment, token_hash, used_at, expires_at)
      SELECT DISTINCT ON (game_id, environment, token_hash)
             game_id, environment, token_hash, now(), token_expires_at
      FROM known
      WHERE token_hash IS NOT NULL
      ORDER BY game_id, environment, token_hash
      ON CONFLICT DO NOTHING
      RETURNING game_id, environment, token_hash
    ), checked AS (
      -- Of requests with the same token, only the first may use it.
      SELECT known.*, token_hash IS NULL
             OR row_number() OVER (PARTITION BY game_id, environment, token_hash ORDER BY place) = 1
             AND (game_id, environment, token_hash) IN (TABLE used) AS is_fresh
      FROM known
    ), counted AS MATERIALIZED (
      SELECT checked.*, providers, sessions
      FROM checked
      CROSS JOIN LATERAL (
        SELECT array_agg(provider) AS providers
        FROM player_identities
        -- Only the player is looked up by an index: the primary key would read all players of the game.
        WHERE player_id = checked.player_id AND game_id IS NOT DISTINCT FROM checked.game_id
          AND environment IS NOT DISTINCT FROM checked.environment
        OFFSET 0
      ) AS linked
      -- Counted before the insertion: the steps of this statement on a cluster see the earlier ones.
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS sessions
        FROM player_login_sessions
        WHERE game_id = checked.game_id AND environment = checked.environment
          AND player_id = checked.player_id
        OFFSET 0
      ) AS open
    ), opened AS (
      INSERT INTO player_login_sessions (game_id, environment, player_id, session_id, provider,
        subject, token_secret, generation, opened_at, refreshed_at, expires_at)
      -- A new login is linked earlier in this transaction, and its session opens after that.
      SELECT game_id, environment, player_id, session_id, provider, subject, token_secret, 0,
             clock_timestamp(), now(), ${SESSION_EXPIRY}
      FROM counted
      WHERE is_right AND is_fresh
    )
    SELECT place, player_id, is_right, is_fresh, providers, sessions FROM counted`);
  const known: (KnownLogin | null)[] = requests.map(() => null);
  for (const { place, ...login } of rows) {
    known[place] = { ...login, providers: sortProviders(login.providers) };
  }
  return known;
}

/**
 * Returns each provider once, sorted by name. If the statement in
 * `logInKnown` sorted the providers, PostgreSQL would choose a wider index.
 */
export const sortProviders = (providers: readonly string[]): string[] =>
  [...new Set(providers)].toSorted();

/**
 * Deletes the sessions of a player that exceed the limit: first
 * ended sessions, then those that were used least recently.
 */
export async function deleteOldestSessions(queryable: Queryable, player: PlayerKey): Promise<void> {
  const { game_id, environment, player_id } = player;
  await queryable.execute(sql`
    DELETE FROM player_login_sessions
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
      AND session_id IN (
        SELECT session_id FROM player_login_sessions
        WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
        ORDER BY ended_at IS NOT NULL, refreshed_at DESC, session_id
        OFFSET ${MAX_SESSIONS_OF_PLAYER})`);
}
