import { CHANGES_OF_PLAYERS } from '@overworld/contract/games/audit-actions';
import type { AuditAction } from '@overworld/contract/games/audit-actions';
import type { AccountCaller } from './auth/accounts.ts';
import type { Queryable } from './database/database.ts';
import { sql } from './database/sql.ts';
import type { PlayerKey } from './players/player-key.ts';

/** The author of a change. */
export interface Actor {
  /** Null if the change was made with a command on the server. */
  account: (Pick<AccountCaller, 'account_id' | 'email'> & Partial<AccountCaller>) | null;
  ip: string | null;
}

/**
 * Records a change. Call it in the transaction that makes the change.
 * @param by The author and the game. The game is null for changes to the installation, such as to an account.
 * @param target Name or id of the changed thing.
 * @param details The change itself; never a secret. If an access token made the change, the entry also names
 * the token.
 */
export async function insertAuditEntry(
  tx: Queryable,
  { actor, game_id }: { actor: Actor; game_id: string | null },
  action: AuditAction,
  target: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { account, ip } = actor;
  const token = account?.access_token;
  const by = token && { access_token: token.name, access_token_id: token.id };
  await tx.execute(sql`
    INSERT INTO audit_log (game_id, account_id, account_email, ip, action, target, details)
    VALUES (${game_id}, ${account?.account_id}, ${account?.email}, ${ip}, ${action}, ${target},
            ${JSON.stringify({ ...details, ...by })})`);
}

const ERASED_PLAYER = '(erased player)';

/**
 * Removes an erased player from the entries about changes to the player's data. Author, time, address
 * and action stay. Entries of erasures keep the player's id: a studio must be able to prove the
 * erasure, and to repeat it after restoring a backup. If an entry is about the scores of several players,
 * only the score of the erased player is removed from it.
 */
export async function forgetPlayer(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
): Promise<void> {
  await tx.execute(sql`
    UPDATE audit_log
    SET details = jsonb_set(details, '{scores}', (
      SELECT coalesce(jsonb_agg(decided), '[]') FROM jsonb_array_elements(details -> 'scores') AS decided
      WHERE decided ->> 'player_id' <> ${player_id}))
    WHERE game_id = ${game_id} AND details ->> 'environment' = ${environment}
      AND details -> 'scores' @> jsonb_build_array(jsonb_build_object('player_id', ${player_id}::text))`);
  await tx.execute(sql`
    UPDATE audit_log
    SET target = CASE WHEN action = ANY(${CHANGES_OF_PLAYERS}::text[])
          THEN ${ERASED_PLAYER} ELSE target END,
        details = jsonb_strip_nulls(jsonb_build_object(
          'environment', ${environment}::text, 'player_id', ${ERASED_PLAYER}::text,
          'access_token', details -> 'access_token',
          'access_token_id', details -> 'access_token_id'))
    WHERE game_id = ${game_id} AND details ->> 'environment' = ${environment}
      AND (details ->> 'player_id' = ${player_id}
        OR (target = ${player_id} AND action = ANY(${CHANGES_OF_PLAYERS}::text[])))`);
}
