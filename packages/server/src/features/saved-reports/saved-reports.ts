import { MAX_SAVED_REPORTS } from '@overworld/contract/analytics/saved-reports';
import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import type { Actor } from '../../platform/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { countOtherReports, deleteSavedReport, upsertSavedReport } from './store.ts';
import type { ReportKey } from './store.ts';

/** @throws ApiError 409 when the game has its maximum of reports. */
export async function saveReport(
  database: Database,
  key: ReportKey,
  query: string,
  actor: Actor,
): Promise<SavedReport> {
  return changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    if ((await countOtherReports(tx, key)) >= MAX_SAVED_REPORTS) {
      throw conflict(`A game may have at most ${MAX_SAVED_REPORTS} saved reports`);
    }
    await record('put_saved_report', key.name, { kind: key.kind, query });
    return upsertSavedReport(tx, key, query);
  });
}

/** @throws ApiError 404 when there is no report of this name. */
export async function removeReport(
  database: Database,
  key: ReportKey,
  actor: Actor,
): Promise<void> {
  await changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    if (!(await deleteSavedReport(tx, key))) throw notFound('Saved report not found');
    await record('delete_saved_report', key.name, { kind: key.kind });
  });
}
