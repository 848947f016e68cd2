import { ADDED_LOGIN_HOURS, NEW_LOGIN_MINUTES } from '@overworld/contract/players/login-limits';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { PlayerSession } from './identity.ts';
import { IS_OPEN } from './login-store.ts';
import { sessionEnded } from './sessions/refresh-token.ts';

interface LoginAge {
  /** Null if the session has ended. */
  is_new: boolean | null;
  is_own: boolean | null;
}

const HOURS = sql`${ADDED_LOGIN_HOURS}::integer * interval '1 hour'`;

/**
 * Requires that the session of a player token began a few minutes ago, by a login that somebody with a stolen
 * token cannot have added to the player just before. A renewal of the session does not make it newer.
 * @throws ApiError 401 when the session has ended, 403 when its login is too old or was added too recently,
 * 404 when there is no such player.
 */
export async function requireNewLogin(queryable: Queryable, session: PlayerSession): Promise<void> {
  const { game_id, environment, player_id, session_id } = session;
  const login = await queryable.queryOne<LoginAge>(sql`
    SELECT opened_at > now() - ${NEW_LOGIN_MINUTES}::integer * interval '1 minute' AS is_new,
           created_at <= now() - ${HOURS} OR first_seen_at > now() - ${HOURS} AS is_own
    FROM players AS player
    LEFT JOIN player_login_sessions AS session
      ON session.game_id = player.game_id AND session.environment = player.environment
      AND session.player_id = player.player_id AND session_id = ${session_id} AND ${IS_OPEN}
    LEFT JOIN player_identities AS identity
      ON identity.game_id = player.game_id AND identity.environment = player.environment
      AND identity.player_id = player.player_id AND identity.provider = session.provider
      AND identity.subject = session.subject
    WHERE player.game_id = ${game_id} AND player.environment = ${environment}
      AND player.player_id = ${player_id}`);
  if (login === null) throw notFound('Player not found');
  if (login.is_new === null) throw sessionEnded();
  if (!login.is_new) {
    throw refuse(`Log in again: this needs a login of the last ${NEW_LOGIN_MINUTES} minutes`);
  }
  if (login.is_own !== true) {
    throw refuse(
      `This login was added to the player less than ${ADDED_LOGIN_HOURS} hours ago: log in by an older one, or try again later`,
    );
  }
}

const refuse = (error: string) => new ApiError(403, error, { code: 'NEW_LOGIN_REQUIRED' });
