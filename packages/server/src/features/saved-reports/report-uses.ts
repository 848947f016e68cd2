import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { findUsed } from '../../platform/reports/query-uses.ts';

/** Lists the saved reports that refer to a thing. A segment does not count as a user of itself. */
export async function listReportUses(
  tx: Queryable,
  game_id: string,
  thing: UsedThing,
): Promise<string[]> {
  const reports = await tx.query<Pick<SavedReport, 'kind' | 'name' | 'query'>>(sql`
    SELECT kind, name, query FROM saved_reports WHERE game_id = ${game_id} ORDER BY kind, name`);
  return reports.flatMap(({ kind, name, query }) => {
    const used = findUsed(query, thing);
    const isItself = thing.kind === 'segment' && kind === 'segment' && name === thing.name;
    return used === null || isItself ? [] : [nameUser(`the saved ${kind} "${name}"`, thing, used)];
  });
}
