import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { createPauses } from '../../platform/pauses.ts';
import { findUsed, readUses } from '../../platform/reports/query-uses.ts';

/** Lists the saved reports that refer to things. A segment does not count as a user of itself. */
export async function listReportUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const reports = await tx.query<Pick<SavedReport, 'kind' | 'name' | 'query'>>(sql`
    SELECT kind, name, query FROM saved_reports WHERE game_id = ${game_id} ORDER BY kind, name`);
  const lists: string[][] = things.map(() => []);
  const pause = createPauses();
  for (const { kind, name, query } of reports) {
    await pause();
    const uses = readUses(query);
    for (const [index, thing] of things.entries()) {
      const used = findUsed(uses, thing);
      const isItself = thing.kind === 'segment' && kind === 'segment' && name === thing.name;
      if (used === null || isItself) continue;
      lists[index]!.push(nameUser(`the saved ${kind} "${name}"`, thing, used));
    }
  }
  return lists;
}
