import { MAX_SAVED_REPORTS } from '@overworld/contract/analytics/saved-reports';
import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { requireUnused } from '../../platform/definition-uses.ts';
import type { EndangeredThing, ListUses } from '../../platform/definition-uses.ts';
import { listUnknownStats } from '../../platform/players/stat-conditions.ts';
import { readUses } from '../../platform/reports/query-uses.ts';
import {
  countOtherReports,
  deleteSavedReport,
  findSavedQuery,
  upsertSavedReport,
} from './store.ts';
import type { ReportKey } from './store.ts';

export interface SavedReportServices {
  /** The database of the game: schedules of messages, which may use a segment, are in its group. */
  database: Database;
  listUses: ListUses;
}

/**
 * @throws ApiError 409 when the game has its maximum of reports, or when others use the segment that the
 * report would replace. With `replace_used`, the segment is replaced all the same.
 */
export async function saveReport(
  { database, listUses }: SavedReportServices,
  key: ReportKey,
  { query, replace_used = false }: { query: string; replace_used?: boolean },
  actor: Actor,
): Promise<SavedReport> {
  return changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    await requireStatsOf(tx, key.game_id, query);
    requireRoom(1 + (await countOtherReports(tx, key)));
    const before = await findSavedQuery(tx, key);
    if (before !== null && before !== query && !replace_used) {
      await requireUnusedSegment(listUses, tx, key, REPLACING);
    }
    await record('put_saved_report', key.name, { kind: key.kind, query });
    return upsertSavedReport(tx, key, query);
  });
}

/**
 * @throws ApiError 404 when there is no report of this name, 409 when it is a segment that others use.
 */
export async function removeReport(
  { database, listUses }: SavedReportServices,
  key: ReportKey,
  actor: Actor,
): Promise<void> {
  await changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    if (!(await deleteSavedReport(tx, key))) throw notFound('Saved report not found');
    await requireUnusedSegment(listUses, tx, key, DELETING);
    await record('delete_saved_report', key.name, { kind: key.kind });
  });
}

/** @throws ApiError 400 when the query of a report has conditions on statistics that the game lacks. */
export async function requireStatsOf(tx: Queryable, game_id: string, query: string): Promise<void> {
  const [unknown] = await listUnknownStats(tx, game_id, [...readUses(query).stats]);
  if (unknown === undefined) return;
  throw badRequest(`query: the game has no statistic ${JSON.stringify(unknown)}`);
}

/** @throws ApiError 409 when the game would have more reports than it may have. */
export function requireRoom(count: number): void {
  if (count > MAX_SAVED_REPORTS) {
    throw conflict(`A game may have at most ${MAX_SAVED_REPORTS} saved reports`);
  }
}

/** Ways to make a change of a segment that others use, for `requireUnusedSegment`. */
export const REPLACING = 'save it under another name, or confirm that their numbers change';
export const DELETING = 'take it out of them first';

/**
 * Only segments are referred to by their names; other saved reports are copied where they are pinned.
 * @throws ApiError 409 when others use the segment.
 */
const requireUnusedSegment = async (
  listUses: ListUses,
  tx: Queryable,
  { game_id, kind, name }: ReportKey,
  advice: string,
): Promise<void> => {
  if (kind !== 'segment') return;
  await requireUnused(listUses, tx, game_id, endangeredSegment(name, advice));
};

export const endangeredSegment = (name: string, advice: string): EndangeredThing => ({
  thing: { kind: 'segment', name },
  named: `The segment "${name}"`,
  advice,
});
