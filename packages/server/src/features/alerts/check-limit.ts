import { MAX_CHECK_SECONDS } from '@overworld/contract/alerts/alert-rule';
import type { Queryable } from '../../platform/database/database.ts';
import { TookTooLong } from '../../platform/errors.ts';
import { sql } from '../../platform/database/sql.ts';

const QUERY_CANCELED = '57014';

/** Limits the time of each further statement of a transaction. */
export async function limitStatements(
  tx: Queryable,
  limit_ms = MAX_CHECK_SECONDS * 1_000,
): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${`${limit_ms}`}, true)`);
}

/** Tells whether a statement, or a report of a metric, was ended because it reached its time limit. */
export const isPastLimit = (error: unknown): boolean =>
  error instanceof Error &&
  (error.cause instanceof TookTooLong || ('code' in error && error.code === QUERY_CANCELED));
