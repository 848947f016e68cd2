import type { Queryable } from '../../platform/database/database.ts';
import { INSTALLATION_TABLES } from '../../platform/database/installation-tables.ts';
import { DAY_COLUMNS, KEYED_BY_TIME, MOVED_NUMBERS, MOVED_TIMES } from './moved-times.ts';

/** Rows that are so many days earlier meet no row that has not moved yet. */
const FAR_DAYS = 200_000;

/**
 * The tables of the installation come last: on a cluster, changes of other games to these tables wait until the
 * transaction ends.
 */
const TABLES = Object.entries(MOVED_TIMES).toSorted(
  ([a], [b]) => Number(INSTALLATION_TABLES.includes(a)) - Number(INSTALLATION_TABLES.includes(b)),
);

/** Moves all times of a game back by one day of 24 hours, so that everything in it is a day older. */
export async function moveBackOneDay(tx: Queryable, game_id: string): Promise<void> {
  for (const [table, columns] of TABLES) {
    const steps = KEYED_BY_TIME.has(table) ? [1 + FAR_DAYS, -FAR_DAYS] : [1];
    for (const days of steps) {
      const changes = [
        ...columns.map((name) => `"${name}" = ${earlier(name, days)}`),
        ...Object.entries(MOVED_NUMBERS[table] ?? {}).map(
          ([name, day]) => `"${name}" = "${name}" - (${day * days})`,
        ),
      ];
      const id = table === 'games' ? 'id' : 'game_id';
      await tx.execute({
        text: `UPDATE ${table} SET ${changes.join(', ')} WHERE ${id} = $1`,
        values: [game_id],
      });
    }
  }
}

/**
 * Makes SQL for an earlier day or moment. A Citus cluster refuses to subtract from a moment with a time zone,
 * because days of other zones than UTC may have 23 or 25 hours.
 */
const earlier = (column: string, days: number): string =>
  DAY_COLUMNS.has(column)
    ? `"${column}" - (${days})`
    : `("${column}" AT TIME ZONE 'UTC' - interval '${days} days') AT TIME ZONE 'UTC'`;
