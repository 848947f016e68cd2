import type { Database } from '../../platform/database/database.ts';
import { deleteExpiredTokens } from './links/account-tokens.ts';
import { deleteOldAttemptCounts } from '../../platform/limits/attempt-limit.ts';
import { deleteOldDevices } from './sessions/devices.ts';
import { deleteOldLoginFailures } from './login/login-failures.ts';
import { deleteExpiredSessions } from './sessions/sessions.ts';

/** Deletes expired rows, so that strangers cannot fill the database. */
export async function deleteOldRecords(database: Database): Promise<void> {
  await deleteExpiredTokens(database);
  await deleteOldAttemptCounts(database);
  await deleteOldLoginFailures(database);
  await deleteExpiredSessions(database);
  await deleteOldDevices(database);
}
