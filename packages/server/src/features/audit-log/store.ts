import type { listAuditLog } from '@overworld/contract/games/audit-log';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** A recorded change; see `insertAuditEntry`. */
type AuditLogEntry = SuccessOf<typeof listAuditLog>['audit_log'][number];

/** Up to `count` changes of a game before the entry `before`, the newest first. */
export async function listAuditEntries(
  database: Queryable,
  game_id: string,
  filter: { action?: string; account_id?: string; before: string | null },
  count: number,
): Promise<AuditLogEntry[]> {
  return database.query<AuditLogEntry>(sql`
    SELECT id, at, account_id, account_email, ip, action, target, details
    FROM audit_log
    WHERE game_id = ${game_id}
      AND (${filter.before}::bigint IS NULL OR id < ${filter.before}::bigint)
      AND (${filter.action}::text IS NULL OR action = ${filter.action}::text)
      AND (${filter.account_id}::uuid IS NULL OR account_id = ${filter.account_id}::uuid)
    ORDER BY id DESC
    LIMIT ${count}`);
}
