import type { AccountStatus } from '@overworld/contract/accounts/account';
import type { TokenRole } from '@overworld/contract/operation';
import { createBatcher } from '../batch/batcher.ts';
import type { Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ApiError } from '../errors.ts';
import { hashAccessToken } from './access-token-text.ts';
import { refuseInactive } from './accounts.ts';
import type { AccountCaller } from './accounts.ts';
import { lacksSecondFactor } from './second-factor-policy.ts';

interface FoundToken {
  token_hash: string;
  id: string;
  name: string;
  role: TokenRole;
  game_ids: string[];
  is_expired: boolean;
  is_use_due: boolean;
  account_id: string;
  email: string;
  status: AccountStatus;
  must_set_up_second_factor: boolean;
}

/**
 * Finds the callers of access tokens. Nothing is kept in memory: each request reads the token, so a revoked
 * token, a lower role and a lost membership count at once on every server.
 */
export function createAccessTokens(database: Database) {
  let used = new Set<string>();

  // One statement looks up all tokens that wait, so a flood of invented ones takes only one connection.
  const lookUps = createBatcher<string, FoundToken | null>({
    name: 'look_up_access_token',
    max_batch_size: 500,
    max_queue_length: 5_000,
    flush: (hashes) => listTokens(database, hashes),
  });

  return {
    /**
     * Finds the caller of an access token.
     * @throws ApiError 401 when the token is unknown, revoked, expired or reaches no game any more, 403 when
     * the account is locked or pending.
     */
    async getCaller(token: string): Promise<AccountCaller> {
      const token_hash = hashAccessToken(token);
      const found = token_hash === null ? null : await lookUps.submit(token_hash);
      if (found === null || found.game_ids.length === 0) throw new ApiError(401, 'Invalid token');
      if (found.is_expired) throw new ApiError(401, 'Token expired');
      refuseInactive(found.status);
      const { id, name, role, game_ids, is_use_due } = found;
      if (is_use_due) used.add(id);
      const { account_id, email, must_set_up_second_factor } = found;
      return {
        kind: 'account',
        account_id,
        email,
        // Also the tokens of an administrator reach only the games for which they were made.
        is_administrator: false,
        must_set_up_second_factor,
        access_token: { id, name, role, game_ids },
      };
    },
    /** Writes when tokens were last used; called by a timer and at shutdown. */
    async flushLastUsed() {
      const ids = [...used];
      used = new Set();
      if (ids.length === 0) return;
      // Locked tokens are skipped: another transaction is deleting them.
      await database.execute(sql`
        UPDATE access_tokens SET last_used_at = now()
        WHERE id IN (SELECT id FROM access_tokens WHERE id = ANY(${ids}::uuid[])
                     FOR NO KEY UPDATE SKIP LOCKED)`);
    },
    /** Waits until all look-ups that have begun are done. */
    close: () => lookUps.close(),
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Lists tokens in the order of the hashes, with null for each hash that belongs to no token. */
async function listTokens(
  database: Queryable,
  hashes: readonly string[],
): Promise<(FoundToken | null)[]> {
  const rows = await database.query<FoundToken>(sql`
    SELECT token_hash, access_tokens.id, name, role, account_id, email, status,
           ARRAY(SELECT game_id::text FROM access_token_games WHERE token_id = access_tokens.id)
             AS game_ids,
           expires_at <= now() AS is_expired,
           (last_used_at > now() - interval '1 minute') IS NOT TRUE AS is_use_due,
           ${lacksSecondFactor} AS must_set_up_second_factor
    FROM access_tokens
    JOIN accounts ON accounts.id = account_id
    WHERE token_hash = ANY(${[...hashes]}::text[])`);
  const known = new Map(rows.map((row) => [row.token_hash, row]));
  return hashes.map((hash) => known.get(hash) ?? null);
}

/** Revokes all access tokens of an account. @returns their number, without those that had expired. */
export async function revokeTokensOf(tx: Queryable, account_id: string): Promise<number> {
  const valid = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM access_tokens WHERE account_id = ${account_id} AND expires_at > now()`);
  await tx.execute(sql`DELETE FROM access_tokens WHERE account_id = ${account_id}`);
  return valid!.count;
}
