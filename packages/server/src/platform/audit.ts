import type { AccountCaller } from './auth/accounts.ts';
import type { Queryable } from './database/database.ts';
import { sql } from './database/sql.ts';

/** Who made a change, and from where. */
export interface Actor {
  /** Null: the command line of the server itself. */
  account: Pick<AccountCaller, 'account_id' | 'email'> | null;
  ip: string | null;
}

export interface AuditEntry {
  /** Null for changes to the installation, such as to an account. */
  game_id: string | null;
  /** Verb-noun, such as `revoke_api_key`. */
  action: string;
  /** What was changed: a name or id. */
  target: string;
  /** What the change was; never a secret. */
  details?: Record<string, unknown>;
}

/** Records a change; call in the transaction that makes it. */
export async function insertAuditEntry(
  tx: Queryable,
  actor: Actor,
  entry: AuditEntry,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO audit_log (game_id, account_id, account_email, ip, action, target, details)
    VALUES (${entry.game_id}, ${actor.account?.account_id}, ${actor.account?.email}, ${actor.ip},
            ${entry.action}, ${entry.target}, ${JSON.stringify(entry.details ?? {})})`);
}
