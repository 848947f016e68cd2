import type { Card } from '@overworld/contract/dashboards/cards';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameUser } from '../../platform/definition-uses.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { findUsed } from '../../platform/reports/query-uses.ts';

/** Lists the cards of dashboards that refer to a thing. */
export async function listCardUses(
  tx: Queryable,
  game_id: string,
  thing: UsedThing,
): Promise<string[]> {
  const dashboards = await tx.query<{ name: string; cards: Card[] }>(sql`
    SELECT name, cards FROM dashboards WHERE game_id = ${game_id} ORDER BY position, id`);
  return dashboards.flatMap(({ name, cards }) =>
    cards.flatMap(({ title, query }) => {
      const used = findUsed(query, thing);
      if (used === null) return [];
      return [nameUser(`the card "${title}" of the dashboard "${name}"`, thing, used)];
    }),
  );
}
