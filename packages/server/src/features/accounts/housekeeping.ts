import type { Database } from '../../platform/database/database.ts';
import { deleteExpiredTokens } from './account-tokens.ts';
import { deleteOldAttemptCounts } from './attempt-limit.ts';
import { deleteOldDevices } from './devices.ts';
import { deleteOldLoginFailures } from './login-failures.ts';
import { deleteExpiredSessions } from './sessions.ts';

/** Forgets what has run out, so that strangers cannot fill the database. */
export async function deleteOldRecords(database: Database): Promise<void> {
  await deleteExpiredTokens(database);
  await deleteOldAttemptCounts(database);
  await deleteOldLoginFailures(database);
  await deleteExpiredSessions(database);
  await deleteOldDevices(database);
}
