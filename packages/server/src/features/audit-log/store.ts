import type { listAuditLog } from '@overworld/contract/games/audit-log';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** A recorded change; see `insertAuditEntry`. */
type AuditLogEntry = SuccessOf<typeof listAuditLog>['audit_log'][number];

interface AuditFilter {
  action?: string;
  account_id?: string;
  /** First and last day, in the time zone of the game. */
  from?: string;
  to?: string;
  /** Only entries whose ids are smaller than this. */
  before: number | undefined;
}

/** Lists up to `count` changes of a game before the entry `before`, the newest first. */
export async function listAuditEntries(
  database: Queryable,
  game_id: string,
  filter: AuditFilter,
  count: number,
): Promise<AuditLogEntry[]> {
  const startOf = (day: Sql) => sql`
    ${day}::timestamp AT TIME ZONE (SELECT time_zone FROM games WHERE id = ${game_id})`;
  const { from, to } = filter;
  return database.query<AuditLogEntry>(sql`
    SELECT id, at, account_id, account_email, ip, action, target, details
    FROM audit_log
    WHERE game_id = ${game_id}
      AND (${filter.before}::bigint IS NULL OR id < ${filter.before}::bigint)
      AND (${filter.action}::text IS NULL OR action = ${filter.action}::text)
      AND (${filter.account_id}::uuid IS NULL OR account_id = ${filter.account_id}::uuid)
      AND (${from}::date IS NULL OR at >= ${startOf(sql`${from}::date`)})
      AND (${to}::date IS NULL OR at < ${startOf(sql`(${to}::date + 1)`)})
    ORDER BY id DESC
    LIMIT ${count}`);
}
