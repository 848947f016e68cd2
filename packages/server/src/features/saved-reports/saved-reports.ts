import type { AuditAction } from '@overworld/contract/games/audit-actions';
import { MAX_SAVED_REPORTS } from '@overworld/contract/analytics/saved-reports';
import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { countOtherReports, deleteSavedReport, upsertSavedReport } from './store.ts';
import type { ReportKey } from './store.ts';

/** @throws ApiError 409 when the game has its maximum of reports. */
export async function saveReport(
  database: Database,
  key: ReportKey,
  query: string,
  actor: Actor,
): Promise<SavedReport> {
  return database.transaction(async (tx) => {
    await lockGame(tx, key.game_id);
    if ((await countOtherReports(tx, key)) >= MAX_SAVED_REPORTS) {
      throw conflict(`A game may have at most ${MAX_SAVED_REPORTS} saved reports`);
    }
    await insertAuditEntry(tx, actor, toEntry('put_saved_report', key, { query }));
    return upsertSavedReport(tx, key, query);
  });
}

/** @throws ApiError 404 when there is no report of this name. */
export async function removeReport(
  database: Database,
  key: ReportKey,
  actor: Actor,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockGame(tx, key.game_id);
    if (!(await deleteSavedReport(tx, key))) throw notFound('Saved report not found');
    await insertAuditEntry(tx, actor, toEntry('delete_saved_report', key, {}));
  });
}

const toEntry = (action: AuditAction, { game_id, kind, name }: ReportKey, details: object) => ({
  game_id,
  action,
  target: name,
  details: { kind, ...details },
});
