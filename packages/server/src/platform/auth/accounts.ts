import type { AccountStatus } from '@overworld/contract/accounts/account';
import type { Environment } from '@overworld/contract/common';
import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ApiError, notFound } from '../errors.ts';
import { isUuid } from '../http/validation.ts';
import { hasSecondFactor, isSecondFactorRequired } from './second-factor-policy.ts';
import type { TokenClaims } from './tokens.ts';

/** A person who uses the dashboard. */
export interface AccountCaller {
  readonly kind: 'account';
  readonly account_id: string;
  readonly email: string;
  /** True for an administrator of the installation, who sees every game as its owner does. */
  readonly is_administrator: boolean;
  /** The session to which the caller's token belongs. */
  readonly session_id: string;
  readonly has_second_factor: boolean;
  /**
   * True if the account lacks the second factor that the installation requires. Then the account may only
   * manage itself.
   */
  readonly must_set_up_second_factor: boolean;
}

/** The 403 error for an account that an administrator or too many failed logins have locked. */
export const accountLocked = () =>
  new ApiError(403, 'This account is locked', { code: 'ACCOUNT_LOCKED' });

/** The 403 error for an account that is not activated yet. */
export const accountPending = () =>
  new ApiError(403, 'This account is not yet activated', { code: 'ACCOUNT_PENDING' });

/**
 * Finds the account of a valid token. `is_use_due` is true once a
 * minute, when the time of the session's last use must be written.
 * @throws ApiError 401 when the account is gone or the session
 * has ended, 403 when the account is locked or pending.
 */
export async function getAccountCaller(
  database: Queryable,
  claims: TokenClaims,
): Promise<{ caller: AccountCaller; is_use_due: boolean }> {
  type Row = Omit<AccountCaller, 'must_set_up_second_factor'> & {
    status: AccountStatus;
    is_use_due: boolean;
    is_second_factor_required: boolean;
  };
  const account = await database.queryOne<Row>(sql`
    SELECT 'account' AS kind, account_id, email, is_administrator, account_sessions.id AS session_id,
           status, last_used_at < now() - interval '1 minute' AS is_use_due,
           ${hasSecondFactor} AS has_second_factor,
           ${isSecondFactorRequired} AS is_second_factor_required
    FROM account_sessions
    JOIN accounts ON accounts.id = account_id
    WHERE account_sessions.id = ${claims.session_id} AND account_id = ${claims.account_id}
      AND token_generation = ${claims.generation}`);
  if (account === null) throw new ApiError(401, 'Invalid token');
  const { status, is_use_due, is_second_factor_required, ...found } = account;
  if (status === 'locked') throw accountLocked();
  if (status === 'pending') throw accountPending();
  const must_set_up_second_factor = is_second_factor_required && !found.has_second_factor;
  return { caller: { ...found, must_set_up_second_factor }, is_use_due };
}

/**
 * Finds the account's role in a game; an administrator of the installation counts as an owner of the game.
 * @throws ApiError 404 when the game does not exist or the account is no member, 403 when its role is below
 * `required`.
 */
export async function getRole(
  database: Queryable,
  account: AccountCaller,
  game_id: string,
  required: Role,
): Promise<Role> {
  const found = isUuid(game_id)
    ? await database.queryOne<{ role: Role | null }>(sql`
        SELECT CASE WHEN ${account.is_administrator}::boolean THEN 'owner' ELSE role END AS role
        FROM games
        LEFT JOIN game_members
          ON game_members.game_id = games.id AND account_id = ${account.account_id}
        WHERE games.id = ${game_id}`)
    : null;
  const role = found?.role ?? null;
  if (role === null) throw notFound('Game not found');
  requireRole(role, required);
  return role;
}

/**
 * Requires the role for changes of keys, and of settings that can keep players out of a game. In production
 * only admins may make these changes.
 * @throws ApiError 403 when `role` is too low for the environment.
 */
export const requireEnvironmentEditor = (role: Role, environment: Environment): void =>
  requireRole(role, environment === 'production' ? 'admin' : 'developer');

export const hasRole = (role: Role, required: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(required);

/** @throws ApiError 403 when `role` is below `required`. */
export function requireRole(role: Role, required: Role): void {
  if (!hasRole(role, required)) {
    throw new ApiError(403, `This needs the role ${required}; yours in this game is ${role}`);
  }
}
