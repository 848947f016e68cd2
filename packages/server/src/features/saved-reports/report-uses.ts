import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { queryUses } from '../../platform/reports/query-uses.ts';

/** Lists the saved reports that refer to a thing. A segment does not count as a user of itself. */
export async function listReportUses(
  tx: Queryable,
  game_id: string,
  thing: UsedThing,
): Promise<string[]> {
  const reports = await tx.query<Pick<SavedReport, 'kind' | 'name' | 'query'>>(sql`
    SELECT kind, name, query FROM saved_reports WHERE game_id = ${game_id} ORDER BY kind, name`);
  return reports
    .filter(
      ({ kind, name, query }) =>
        queryUses(query, thing) &&
        !(thing.kind === 'segment' && kind === 'segment' && name === thing.name),
    )
    .map(({ kind, name }) => `the saved ${kind} "${name}"`);
}
