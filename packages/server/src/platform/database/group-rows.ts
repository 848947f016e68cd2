import type { Database } from './database.ts';
import { forEachGroup } from './each-group.ts';
import type { GroupedDatabase } from './game-groups.ts';

/**
 * Calls `work` for each group of games that has some of these rows, one group after the other.
 * @throws the first error, after `work` was called for all groups.
 */
export async function forRowsOfEachGroup<Row extends { readonly game_id: string }>(
  database: GroupedDatabase,
  rows: Iterable<Row>,
  work: (group: Database, rows: Row[]) => Promise<unknown>,
): Promise<void> {
  const groups = Map.groupBy(rows, ({ game_id }) => database.ofGame(game_id));
  await forEachGroup([...groups], ([group, its_rows]) => work(group, its_rows));
}
