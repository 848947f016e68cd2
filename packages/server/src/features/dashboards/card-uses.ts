import type { Card } from '@overworld/contract/dashboards/cards';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { queryUses } from '../../platform/reports/query-uses.ts';

/** Lists the cards of dashboards that refer to a thing. */
export async function listCardUses(
  tx: Queryable,
  game_id: string,
  thing: UsedThing,
): Promise<string[]> {
  const dashboards = await tx.query<{ name: string; cards: Card[] }>(sql`
    SELECT name, cards FROM dashboards WHERE game_id = ${game_id} ORDER BY position, id`);
  return dashboards.flatMap(({ name, cards }) =>
    cards
      .filter(({ query }) => queryUses(query, thing))
      .map(({ title }) => `the card "${title}" of the dashboard "${name}"`),
  );
}
