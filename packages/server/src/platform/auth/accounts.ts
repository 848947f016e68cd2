import type { AccountStatus } from '@overworld/contract/accounts/account';
import type { Environment } from '@overworld/contract/common';
import { TOKEN_ROLES } from '@overworld/contract/operation';
import type { Role, TokenRole } from '@overworld/contract/operation';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { ApiError, notFound } from '../errors.ts';
import { isUuid } from '../http/validation.ts';
import { hasSecondFactor, lacksSecondFactor } from './second-factor-policy.ts';
import type { TokenClaims } from './tokens.ts';

/** The account of a member, whose login or access token a request has. */
export interface AccountCaller {
  readonly kind: 'account';
  readonly account_id: string;
  readonly email: string;
  /** True for an administrator of the installation, who sees every game as its owner does. */
  readonly is_administrator: boolean;
  /**
   * True if the account lacks the second factor that the installation requires. Then the account may only
   * manage itself.
   */
  readonly must_set_up_second_factor: boolean;
  /** The access token of the request; null for a login. */
  readonly access_token: UsedAccessToken | null;
}

/** An access token that makes a request. It has its role at most, and only in its games. */
export interface UsedAccessToken {
  readonly id: string;
  readonly name: string;
  readonly role: TokenRole;
  readonly game_ids: readonly string[];
}

/** A person who is logged in. */
export interface PersonCaller extends AccountCaller {
  readonly access_token: null;
  /** The session to which the caller's token belongs. */
  readonly session_id: string;
  readonly has_second_factor: boolean;
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
): Promise<{ caller: PersonCaller; is_use_due: boolean }> {
  type Row = Omit<PersonCaller, 'access_token'> & { status: AccountStatus; is_use_due: boolean };
  const account = await database.queryOne<Row>(sql`
    SELECT 'account' AS kind, account_id, email, is_administrator, account_sessions.id AS session_id,
           status, last_used_at < now() - interval '1 minute' AS is_use_due,
           ${hasSecondFactor} AS has_second_factor,
           ${lacksSecondFactor} AS must_set_up_second_factor
    FROM account_sessions
    JOIN accounts ON accounts.id = account_id
    WHERE account_sessions.id = ${claims.session_id} AND account_id = ${claims.account_id}
      AND token_generation = ${claims.generation}`);
  if (account === null) throw new ApiError(401, 'Invalid token');
  const { status, is_use_due, ...found } = account;
  refuseInactive(status);
  return { caller: { ...found, access_token: null }, is_use_due };
}

/**
 * Checks within a transaction that a session is still open.
 * @throws ApiError 401 when it has ended, 403 when the account is locked or pending.
 */
export async function requireSession(
  tx: Queryable,
  { account_id, session_id }: { account_id: string; session_id: string },
): Promise<void> {
  const account = await tx.queryOne<{ status: AccountStatus }>(sql`
    SELECT status
    FROM account_sessions
    JOIN accounts ON accounts.id = account_id
    WHERE account_sessions.id = ${session_id} AND account_id = ${account_id}`);
  if (account === null) throw new ApiError(401, 'Invalid token');
  refuseInactive(account.status);
}

/** @throws ApiError 403 when an account of this status may not make calls. */
export function refuseInactive(status: AccountStatus): void {
  if (status === 'locked') throw accountLocked();
  if (status === 'pending') throw accountPending();
}

/**
 * Finds the caller's role in a game; an administrator of the installation counts as an owner of the game. An
 * access token has its own role or that of its account, whichever is lower.
 * @throws ApiError 404 when the game does not exist, the account is no member, or the access token does not
 * reach the game, 403 when the role is below `required`.
 */
export async function getRole(
  database: Queryable,
  account: AccountCaller,
  game_id: string,
  required: TokenRole,
): Promise<TokenRole> {
  const found = reaches(account, game_id)
    ? await database.queryOne<{ role: Role | null }>(sql`
        SELECT CASE WHEN ${account.is_administrator}::boolean THEN 'owner' ELSE role END AS role
        FROM games
        LEFT JOIN game_members
          ON game_members.game_id = games.id AND account_id = ${account.account_id}
        WHERE games.id = ${game_id}`)
    : null;
  const member_role = found?.role ?? null;
  if (member_role === null) throw notFound('Game not found');
  const role = roleOf(account, member_role);
  requireRole(role, required);
  return role;
}

function reaches({ access_token }: AccountCaller, game_id: string): boolean {
  if (!isUuid(game_id)) return false;
  return access_token === null || access_token.game_ids.includes(game_id.toLowerCase());
}

/**
 * SQL, true for ids of games that the caller's access token reaches, and for all ids if the caller has logged
 * in.
 */
export const isReached = ({ access_token }: AccountCaller, game_id: Sql): Sql =>
  access_token === null ? sql`true` : sql`${game_id} = ANY(${[...access_token.game_ids]}::uuid[])`;

/** Returns the role of a caller whose account has the role `member_role`. */
export function roleOf({ access_token }: AccountCaller, member_role: Role): TokenRole {
  return access_token !== null && hasRole(member_role, access_token.role)
    ? access_token.role
    : member_role;
}

/**
 * Requires the role for changes of keys, and of settings that can keep players out of a game. In production
 * only admins may make these changes.
 * @throws ApiError 403 when `role` is too low for the environment.
 */
export const requireEnvironmentEditor = (role: TokenRole, environment: Environment): void =>
  requireRole(role, environment === 'production' ? 'admin' : 'developer');

export const hasRole = (role: TokenRole, required: TokenRole): boolean =>
  TOKEN_ROLES.indexOf(role) >= TOKEN_ROLES.indexOf(required);

/** @throws ApiError 403 when `role` is below `required`. */
export function requireRole(role: TokenRole, required: TokenRole): void {
  if (!hasRole(role, required)) {
    throw new ApiError(403, `This needs the role ${required}; yours in this game is ${role}`);
  }
}
