import { MAX_SESSIONS } from '@overworld/contract/accounts/limits';
import type { Session } from '@overworld/contract/accounts/sessions';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import { lockAccountRow } from '../../../platform/auth/account-lock.ts';
import type { PersonCaller } from '../../../platform/auth/accounts.ts';
import { TOKEN_LIFETIME_DAYS } from '../../../platform/auth/jwt-secrets.ts';
import type { TokenClaims } from '../../../platform/auth/tokens.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Client } from '../../../platform/http/client.ts';
import { removeBrowser, showBrowser } from './browsers.ts';

/**
 * Opens a session of an account that has just proved its identity.
 * @param ends_at When it ends; null: after the usual time.
 */
export async function openSession(
  tx: Queryable,
  account: { id: string; token_generation: number },
  { ip, user_agent }: Client,
  ends_at: Date | null = null,
): Promise<TokenClaims> {
  const { id: account_id, token_generation: generation } = account;
  // The lock makes simultaneous logins wait for each other, so that none of them misses a session in the
  // count below.
  await lockAccountRow(tx, account_id);
  await tx.execute(sql`
    DELETE FROM account_sessions
    WHERE id IN (
      SELECT id FROM account_sessions
      WHERE account_id = ${account_id}
      ORDER BY last_used_at DESC, id
      OFFSET ${MAX_SESSIONS - 1}::integer)`);
  const session = await tx.queryOne<{ id: string }>(sql`
    INSERT INTO account_sessions (account_id, user_agent, address, expires_at)
    VALUES (${account_id}, ${user_agent}, ${ip},
            COALESCE(${ends_at}::timestamptz,
                     now() + ${TOKEN_LIFETIME_DAYS}::integer * interval '1 day'))
    RETURNING id`);
  return { account_id, session_id: session!.id, generation };
}

/** Finds when a session ends; null when it has been ended already. */
export async function findSessionEnd(tx: Queryable, session_id: string): Promise<Date | null> {
  const row = await tx.queryOne<{ expires_at: string }>(sql`
    SELECT expires_at FROM account_sessions WHERE id = ${session_id}`);
  return row && new Date(row.expires_at);
}

/** Lists the account's sessions: the caller's own first, then the others by last use. */
export async function listSessions(
  database: Queryable,
  { account_id, session_id }: PersonCaller,
): Promise<Session[]> {
  type Row = Omit<Session, 'browser'> & { user_agent: string | null };
  const rows = await database.query<Row>(sql`
    SELECT id, user_agent, address, created_at, last_used_at, expires_at,
           id = ${session_id} AS is_current
    FROM account_sessions
    WHERE account_id = ${account_id} AND expires_at > now()
    ORDER BY is_current DESC, last_used_at DESC, id`);
  return rows.map(showBrowser);
}

/**
 * Ends a session of the caller's account, on all servers at once.
 * @throws ApiError 404 when the account has no such session.
 */
export const endSession = (
  database: Database,
  { account_id }: PersonCaller,
  session_id: string,
  actor: Actor,
): Promise<void> =>
  removeBrowser(database, actor, session_id, {
    action: 'end_session',
    missing: 'Session not found',
    remove: (tx) =>
      tx.queryOne(sql`
        DELETE FROM account_sessions
        WHERE id = ${session_id} AND account_id = ${account_id}
        RETURNING user_agent, address`),
  });

/** Ends all sessions of the caller's account except the caller's own. */
export async function endOtherSessions(
  database: Database,
  { account_id, email, session_id }: PersonCaller,
  actor: Actor,
): Promise<void> {
  await database.transaction(async (tx) => {
    const ended = await deleteSessions(tx, account_id, session_id);
    await insertAuditEntry(tx, { actor, game_id: null }, 'end_other_sessions', email, { ended });
  });
}

/** Ends the caller's session. */
export async function logOut(database: Queryable, { session_id }: PersonCaller): Promise<void> {
  await database.execute(sql`DELETE FROM account_sessions WHERE id = ${session_id}`);
}

/** Ends an account's sessions except one to keep. Returns the number of ended sessions. */
export async function deleteSessions(
  tx: Queryable,
  account_id: string,
  kept_id: string | null = null,
): Promise<number> {
  await lockAccountRow(tx, account_id);
  return tx.execute(sql`
    DELETE FROM account_sessions
    WHERE account_id = ${account_id} AND id IS DISTINCT FROM ${kept_id}`);
}

/** Ends the sessions of all accounts. */
export async function deleteAllSessions(tx: Queryable): Promise<void> {
  await tx.execute(sql`DELETE FROM account_sessions`);
}

/** Deletes sessions whose tokens have expired. */
export async function deleteExpiredSessions(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM account_sessions
    WHERE id IN (
      SELECT id FROM account_sessions WHERE expires_at < now() FOR UPDATE SKIP LOCKED)`);
}
