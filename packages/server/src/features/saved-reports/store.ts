import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';

type ReportKind = SavedReport['kind'];

/** Identifies a saved report. */
export interface ReportKey {
  game_id: string;
  kind: ReportKind;
  name: string;
}

/** Lists up to `limit` saved reports after a position, ordered by kind and name. */
export async function listSavedReports(
  database: Queryable,
  game_id: string,
  page: {
    kind: ReportKind | undefined;
    after: { kind: string; name: string } | null;
    limit: number;
  },
): Promise<SavedReport[]> {
  return database.query(sql`
    SELECT kind, name, query, updated_at
    FROM saved_reports
    WHERE game_id = ${game_id}
      AND (${page.kind}::text IS NULL OR kind = ${page.kind})
      AND (${page.after?.kind}::text IS NULL
           OR (kind, name) > (${page.after?.kind}, ${page.after?.name}))
    ORDER BY kind, name
    LIMIT ${page.limit}`);
}

/** Finds the query of a saved report. Returns null if there is no such report. */
export async function findSavedQuery(
  database: Queryable,
  { game_id, kind, name }: ReportKey,
): Promise<string | null> {
  const row = await database.queryOne<{ query: string }>(sql`
    SELECT query FROM saved_reports
    WHERE game_id = ${game_id} AND kind = ${kind} AND name = ${name}`);
  return row?.query ?? null;
}

export const countReports = (database: Queryable, game_id: string): Promise<number> =>
  selectCount(database, sql`saved_reports WHERE game_id = ${game_id}`);

/** Counts the game's reports other than this one. */
export const countOtherReports = (
  database: Queryable,
  { game_id, kind, name }: ReportKey,
): Promise<number> =>
  selectCount(
    database,
    sql`saved_reports WHERE game_id = ${game_id} AND (kind, name) <> (${kind}, ${name})`,
  );

export async function upsertSavedReport(
  tx: Queryable,
  { game_id, kind, name }: ReportKey,
  query: string,
): Promise<SavedReport> {
  const row = await tx.queryOne<SavedReport>(sql`
    INSERT INTO saved_reports (game_id, kind, name, query, updated_at)
    VALUES (${game_id}, ${kind}, ${name}, ${query}, now())
    ON CONFLICT (game_id, kind, name) DO UPDATE
    SET query = EXCLUDED.query, updated_at = EXCLUDED.updated_at
    RETURNING kind, name, query, updated_at`);
  return row!;
}

/** @returns True if the report existed. */
export async function deleteSavedReport(
  tx: Queryable,
  { game_id, kind, name }: ReportKey,
): Promise<boolean> {
  const count = await tx.execute(sql`
    DELETE FROM saved_reports
    WHERE game_id = ${game_id} AND kind = ${kind} AND name = ${name}`);
  return count > 0;
}
