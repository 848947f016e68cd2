import type { Card } from '@overworld/contract/dashboards/cards';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { createPauses } from '../../platform/pauses.ts';
import { findUsed, readUses } from '../../platform/reports/query-uses.ts';

/** Lists the cards of dashboards that refer to things. */
export async function listCardUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const dashboards = await tx.query<{ name: string; cards: Card[] }>(sql`
    SELECT name, cards FROM dashboards WHERE game_id = ${game_id} ORDER BY position, id`);
  const lists: string[][] = things.map(() => []);
  const pause = createPauses();
  for (const { name, cards } of dashboards) {
    for (const { title, query } of cards) {
      await pause();
      const uses = readUses(query);
      for (const [index, thing] of things.entries()) {
        const used = findUsed(uses, thing);
        if (used === null) continue;
        lists[index]!.push(nameUser(`the card "${title}" of the dashboard "${name}"`, thing, used));
      }
    }
  }
  return lists;
}
