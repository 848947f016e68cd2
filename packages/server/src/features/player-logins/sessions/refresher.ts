import { randomUUID } from 'node:crypto';
import { REPEAT_SECONDS } from '@overworld/contract/players/login-limits';
import type { SessionEnd } from '@overworld/contract/players/story-kinds';
import {
  answerInRounds,
  createGroupBatcher,
  groupRequests,
} from '../../../platform/batch/batcher.ts';
import type { BatchResults, RequestGroup } from '../../../platform/batch/batcher.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { ApiError, unavailable } from '../../../platform/errors.ts';
import { isOfPlayer, nameOfPlayer, PLAYER_KEY } from '../../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../../platform/players/player-key.ts';
import type { LoggedIn } from '../identity.ts';
import { IS_OPEN, SESSION_EXPIRY, sortProviders } from '../login-store.ts';
import {
  invalidRefreshToken,
  isOfSession,
  readRefreshToken,
  sessionEnded,
  writeRefreshToken,
} from './refresh-token.ts';
import type { RefreshToken } from './refresh-token.ts';

interface RefreshRequest {
  player: PlayerKey;
  token: RefreshToken;
}

interface Session {
  token_secret: string;
  generation: number;
  is_repeatable: boolean;
  providers: string[] | null;
}

type SessionRequests = RequestGroup<RefreshRequest>;

/**
 * The maximum number of attempts to renew the sessions of a batch. Another attempt is
 * needed only if another server has meanwhile renewed a session.
 */
const MAX_ROUNDS = 20;

/** Renews and ends sessions of players. */
export function createRefresher(hot: GroupedDatabase) {
  const requestOf = (tenant: Tenant, text: string): RefreshRequest => {
    const { game_id, environment } = tenant;
    const token = readRefreshToken(text);
    return { player: { game_id, environment, player_id: token.player_id }, token };
  };
  const batcher = createGroupBatcher<RefreshRequest, LoggedIn>(hot, {
    name: 'player_refreshes',
    max_batch_size: 200,
    max_queue_length: 20_000,
    gameOf: ({ player }) => player.game_id,
    flush: (group, requests) =>
      answerInRounds<SessionRequests, LoggedIn>(
        requests.length,
        groupRequests(requests, nameOfSession),
        async (sessions, results, round) => {
          if (round > MAX_ROUNDS) throw unavailable('Others renew this session too often');
          return renew(group, sessions, results);
        },
      ),
  });
  return {
    /** @throws ApiError 401 when the token is wrong or was used before, or its session has ended. */
    refresh: async (tenant: Tenant, text: string): Promise<LoggedIn> =>
      batcher.submit(requestOf(tenant, text)),
    /** Ends the token's session if it is still open. @throws ApiError 401 when the token is wrong. */
    async end(database: Database, tenant: Tenant, text: string) {
      const request = requestOf(tenant, text);
      const [session] = await listSessions(database, [request]);
      if (!session) return;
      if (!isOfSession(request.token, session.token_secret)) throw invalidRefreshToken();
      await endSession(database, request, 'logged_out');
    },
    /** Refuses new requests and resolves when all accepted ones are answered. */
    close: () => batcher.close(),
  };
}

const nameOfSession = ({ player, token }: RefreshRequest) =>
  `${token.session_id} ${nameOfPlayer(player)}`;

type Decision = { renews: boolean } | { is_used: true } | ApiError;

/**
 * Decides about a refresh token. The token before the current one may be sent again for a
 * short time, because two tabs may refresh at the same time, and an answer may be lost.
 * If the older token is sent later than that, it counts as stolen.
 */
function decide(token: RefreshToken, session: Session | null): Decision {
  if (session === null) return sessionEnded();
  if (!isOfSession(token, session.token_secret)) return invalidRefreshToken();
  if (token.generation === session.generation) return { renews: true };
  const isLast = token.generation === session.generation - 1;
  return isLast && session.is_repeatable ? { renews: false } : { is_used: true };
}

/**
 * Renews the sessions of `groups`, and puts the answer to each request into `results`.
 * @returns the sessions that another server has renewed meanwhile; these are left unchanged.
 */
async function renew(
  database: Database,
  groups: SessionRequests[],
  results: BatchResults<LoggedIn>,
): Promise<SessionRequests[]> {
  const sessions = await listSessions(
    database,
    groups.map(({ requests }) => requests[0]!),
  );
  const decided = groups.map((group, index) => {
    const session = sessions[index]!;
    const decisions = group.requests.map(({ token }) => decide(token, session));
    const is_used = decisions.some((decision) => 'is_used' in decision);
    const renews = decisions.some((decision) => 'renews' in decision && decision.renews);
    return { group, session, decisions, is_used, renews };
  });
  for (const { group, is_used } of decided) {
    if (is_used) await endSession(database, group.requests[0]!, 'token_reused');
  }
  const renewed = await renewSessions(
    database,
    decided.flatMap(({ group, session, is_used, renews }) =>
      renews && !is_used ? [{ ...group.requests[0]!, generation: session!.generation }] : [],
    ),
  );
  return decided.flatMap(({ group, session, decisions, is_used, renews }) => {
    if (renews && !is_used && !renewed.has(group.requests[0]!.token.session_id)) return [group];
    decisions.forEach((decision, turn) => {
      const { player, token } = group.requests[turn]!;
      const place = group.places[turn]!;
      if (decision instanceof ApiError) results[place] = decision;
      else if ('is_used' in decision) results[place] = tokenUsed();
      else if (is_used) results[place] = sessionEnded();
      else {
        const { session_id } = token;
        const generation = session!.generation + (renews ? 1 : 0);
        results[place] = {
          player,
          session_id,
          refresh_token: writeRefreshToken(token, session!.token_secret, generation),
          created: false,
          providers: sortProviders(session!.providers ?? []),
        };
      }
    });
    return [];
  });
}

const SESSION_KEY = { ...PLAYER_KEY, session_id: 'uuid' } as const;
const keyOf = ({ player, token }: RefreshRequest) => ({ ...player, session_id: token.session_id });

async function listSessions(
  database: Queryable,
  requests: readonly RefreshRequest[],
): Promise<(Session | null)[]> {
  const sent = requests.map((request, place) => ({ place, ...keyOf(request) }));
  const rows = await database.query<Session & { place: number }>(sql`
    SELECT place, token_secret, generation, is_repeatable, providers
    FROM ${rowsAs('sent', sent, { place: 'integer', ...SESSION_KEY })}
    CROSS JOIN LATERAL (
      SELECT token_secret, generation,
             refreshed_at > now() - ${REPEAT_SECONDS}::integer * interval '1 second' AS is_repeatable
      FROM player_login_sessions
      WHERE game_id = sent.game_id AND environment = sent.environment
        AND player_id = sent.player_id AND session_id = sent.session_id AND ${IS_OPEN}
      OFFSET 0
    ) AS session
    CROSS JOIN LATERAL (
      SELECT array_agg(provider) AS providers
      FROM player_identities
      -- Only the player is looked up by an index: the primary key would read all players of the game.
      WHERE player_id = sent.player_id AND game_id IS NOT DISTINCT FROM sent.game_id
        AND environment IS NOT DISTINCT FROM sent.environment
      OFFSET 0
    ) AS linked`);
  const sessions: (Session | null)[] = requests.map(() => null);
  for (const { place, ...session } of rows) sessions[place] = session;
  return sessions;
}

/**
 * Adds one to the generation (the number of renewals) of each session, if it is still the given one.
 * @returns the ids of the renewed sessions.
 */
async function renewSessions(
  database: Queryable,
  sessions: readonly (RefreshRequest & { generation: number })[],
): Promise<Set<string>> {
  if (sessions.length === 0) return new Set();
  const sent = sessions.map(({ generation, ...request }) => ({ ...keyOf(request), generation }));
  const rows = await database.query<{ session_id: string }>(sql`
    WITH locked AS MATERIALIZED (
      SELECT session.*
      FROM (
        SELECT * FROM ${rowsAs('sent', sent, { ...SESSION_KEY, generation: 'integer' })}
        ORDER BY game_id, environment, player_id, session_id
      ) AS sent
      CROSS JOIN LATERAL (
        SELECT game_id, environment, player_id, session_id
        FROM player_login_sessions AS open
        WHERE open.game_id = sent.game_id AND open.environment = sent.environment
          AND open.player_id = sent.player_id AND open.session_id = sent.session_id
          AND open.generation = sent.generation
        OFFSET 0
        FOR NO KEY UPDATE
      ) AS session
    )
    UPDATE player_login_sessions AS session
    SET generation = generation + 1, refreshed_at = now(), expires_at = ${SESSION_EXPIRY}
    FROM locked
    WHERE session.game_id = locked.game_id AND session.environment = locked.environment
      AND session.player_id = locked.player_id AND session.session_id = locked.session_id
    RETURNING session.session_id`);
  return new Set(rows.map(({ session_id }) => session_id));
}

/** Ends a session. Its row stays, with a new generation, so a refresh that is under way fails. */
const endSession = (
  database: Queryable,
  { player, token }: RefreshRequest,
  end_reason: SessionEnd,
) =>
  database.execute(sql`
    UPDATE player_login_sessions
    SET ended_at = now(), end_reason = ${end_reason}, generation = generation + 1,
        token_secret = ${randomUUID()}
    WHERE ${isOfPlayer(player)} AND session_id = ${token.session_id} AND ${IS_OPEN}`);

const tokenUsed = () => new ApiError(401, 'This refresh token was used before. Log in again.');
