import type { Queryable } from './database/database.ts';
import { lockOfGroup } from './database/group-lock.ts';
import { sql } from './database/sql.ts';

/**
 * The lock with which ingest is prevented; its number is arbitrary. Transactions that ingest events of a
 * group share the lock. A transaction that must not run beside ingest holds the lock exclusively.
 */
export const INGEST_LOCK = lockOfGroup(sql`7301987`);

/**
 * Waits until no node ingests events of the group, and prevents ingest on all nodes until the transaction
 * ends.
 */
export async function lockIngest(tx: Queryable): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${INGEST_LOCK})`);
}

/**
 * Waits while another transaction holds the lock of `lockIngest`, and then prevents others from taking that
 * lock until this transaction ends.
 */
export async function joinIngest(tx: Queryable): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${INGEST_LOCK})`);
}

/**
 * Events that have waited so long in the inbox are late. A day of receipt is sealed only when it has been over
 * for twice this time, so a transaction that stores events that are not late changes no sealed day.
 */
export const LATE_HOURS = 12;
